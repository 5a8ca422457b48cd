# A query alone is no database: an operand is given, so standard input is not touched unless it is named.
attend -q 1 -v 1
