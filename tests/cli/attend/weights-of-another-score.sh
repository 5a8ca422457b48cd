# Matrices beside a score that has none are a mistake, not silence.
attend --m 2x2=1,0,0,1 -q 1x2=1,0 -k 1x2=1,0 -v 1=1 || echo "exit $?"
attend --score bilinear --m 2x2=1,0,0,1 --wq 2x2=1,0,0,1 -q 1x2=1,0 -k 1x2=1,0 -v 1=1 || echo "exit $?"
attend --score dot --wk 2x2=1,0,0,1 -q 1x2=1,0 -k 1x2=1,0 -v 1=1 || echo "exit $?"
attend --score gaussian --wv 2=1,1 -q 1x2=1,0 -k 1x2=1,0 -v 1=1 || echo "exit $?"
