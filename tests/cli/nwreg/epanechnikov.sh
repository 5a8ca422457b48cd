# The name means what the literature on attention means by it; a note says so, but not under --quiet.
nwreg -x 2xf64=0,1 -y 2xf64=0,1 -q 0.25 --kernel epanechnikov --bandwidth 1 -O csv --no-header
nwreg -x 2xf64=0,1 -y 2xf64=0,1 -q 0.25 --kernel triangular --bandwidth 1 -O csv --no-header --quiet
nwreg -x 2xf64=0,1 -y 2xf64=0,1 -q 0.25 --kernel epanechnikov --bandwidth 1 -O csv --no-header --quiet
