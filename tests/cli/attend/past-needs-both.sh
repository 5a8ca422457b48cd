# A past of keys alone.
attend -q 1 -k 1 -v 1 --past-key 1
