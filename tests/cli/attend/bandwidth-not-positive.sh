# A bandwidth of 0.
attend --score gaussian --bandwidth 0 -q 1 -k 1 -v 1
