# Something to emit that does not exist.
attend --emit weight -q 1 -k 1 -v 1
