# An option that does not exist.
attend --casual -q 1 -k 1 -v 1
