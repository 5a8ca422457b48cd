# Samples, queries and numbers that mean nothing together are refused.
refused() { nwreg "$@" -O csv 2>&1 && echo "not refused: $*" || echo "$? of $*"; }
samples="-x 4=1,2,3,4 -y 4=1,2,4,3"
refused -x 4=1,2,3,4 -y 3=1,2,4 --bandwidth 1
refused -x 4x0=1 -y 4=1 --bandwidth 1
refused -x 1x2x2=1 -y 1=1 --bandwidth 1
refused $samples --bandwidth 1 -q 2x2=1
refused $samples --bandwidth 0
refused $samples --bandwidth -1
refused $samples --bandwidth nan
refused $samples --bandwidth 1,2
refused $samples --bandwidth knn:0
refused $samples --bandwidth knn:5
refused $samples --bandwidth 1 --degree 3
refused $samples --bandwidth 1 --causal --decay -1
refused $samples --bandwidth 1 --decay 1
refused $samples --bandwidth 1 --tol -0.1
refused $samples --bandwidth 1 --tol 1
refused $samples --bandwidth 1 --level 0 --emit band
refused $samples --bandwidth 1 --level 1 --emit band
refused $samples --bandwidth 1 --loo -q 2=1
refused $samples --bandwidth 1 --sample-weights 3=1
refused $samples --bandwidth 1 --sample-weights 4=1,1,-1,1
refused -x 1=1 -y 1=1 --bandwidth knn:cv
refused -x 4=1,2,nan,4 -y 4=1 --bandwidth 1
refused -x 4=1,2,inf,4 -y 4=1 --bandwidth 1
refused -x 4=1,2,3,4 -y 4=1,inf,1,1 --bandwidth 1
refused -x 4=0,1,0,1 -y 4=1,2,4,3 --categorical 0 --bandwidth 0.5 --degree 1
refused -x 4=0,1,0,1 -y 4=1,2,4,3 --categorical 0 --bandwidth 0.5 --derivative
refused -x 4=0,1,0,1 -y 4=1,2,4,3 --categorical 0 --bandwidth 2
refused -x 4=1,2,3,4 -y 4x2=1 --classify --bandwidth 1
