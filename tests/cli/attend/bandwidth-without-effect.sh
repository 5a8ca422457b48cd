# A bandwidth beside a score that has none is a mistake, not silence.
attend -q 1x2=1,0 -k 2x2=1,0,0,1 -v 2=1,2 --score dot --bandwidth 2 -O csv
