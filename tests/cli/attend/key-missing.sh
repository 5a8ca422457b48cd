# A query alone is no database.
attend -q 1 -v 1
