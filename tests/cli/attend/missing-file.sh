# A file that does not exist.
attend -q nowhere.h5 -k 1 -v 1
