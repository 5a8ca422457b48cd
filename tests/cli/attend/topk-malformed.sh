# topk needs a number.
attend --emit topk=x -q 1 -k 1 -v 1
