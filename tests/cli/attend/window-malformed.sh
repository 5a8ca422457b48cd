# A window of one number.
attend --window 3 -q 1 -k 1 -v 1
