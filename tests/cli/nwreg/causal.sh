# Only the past counts; forgetting makes the recent past count more.
nwreg -x 4xf64=0,1,2,3 -y 4xf64=0,10,20,30 --kernel constant --causal -O csv --no-header
nwreg -x 4xf64=0,1,2,3 -y 4xf64=0,10,20,30 --kernel constant --causal --loo --quiet -O csv --no-header
nwreg -x 2xf64=0,1 -y 2xf64=0,1 -q 1 --kernel constant --causal --decay 0.6931471805599453 -O csv --no-header --precision 12
