# epanechnikov is what the literature on attention means by the name, and says so in one note.
attend --score epanechnikov --bandwidth 2 --normalize none -q 1 -k 0 -v 1 -O csv
attend --score epanechnikov --bandwidth 2 --normalize none -q 1 -k 0 -v 1 -O csv --quiet
