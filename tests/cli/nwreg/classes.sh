# Labels in, labels out; ties go to the first; probabilities add up to 1.
nwreg -x 4x1xf64=0,1,5,6 -y str=b,b,a,a --classify -q 3x1xf64=0.5,5.5,3 --kernel laplace --bandwidth 1 \
  --emit probabilities -O csv --precision 3
nwreg -x 4xf64=0,1,5,6 -y 4xi64=7,7,3,3 --classify -q 2xf64=0.5,5.5 --bandwidth 1 -O csv --no-header
# Where no sample is in reach there is no label, whatever the probabilities are said to be.
for empty in nan zero nearest; do
  nwreg -x 4xf64=0,1,5,6 -y str=b,b,a,a --classify -q 2xf64=0.5,9 --kernel boxcar --bandwidth 1 --empty $empty \
    --emit probabilities -O csv
done
nwreg -x 4xf64=0,1,5,6 -y 4xi64=7,7,3,3 --classify -q 2xf64=0.5,9 --kernel boxcar --bandwidth 1 -O csv --no-header --quiet
nwreg -x 0xf64= -y 0xi64= --classify -q 1xf64=9 --bandwidth 1 -O csv --no-header --quiet
