# No heads.
attend -q 1 -k 1 -v 1 --heads 0
