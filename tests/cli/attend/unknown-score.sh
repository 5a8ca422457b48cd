# A score that does not exist.
attend --score epanechnikow -q 1 -k 1 -v 1
