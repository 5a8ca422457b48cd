# A bilinear score needs its matrix.
attend --score bilinear -q 1 -k 1 -v 1
