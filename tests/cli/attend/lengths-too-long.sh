# A length beyond the keys.
attend -q 1 -k 1 -v 1 --valid-lens 1xi64=2
