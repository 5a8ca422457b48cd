# A scale that is no number.
attend -q 1 -k 1 -v 1 --scale nan
