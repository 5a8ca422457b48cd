# Where masks leave no key there is none that is nearest, and the note says so.
attend --empty nearest --score boxcar --valid-lens 2x3=1,2,0,0,2,1 -q 2x3x1xf64=9,9,9,9,0,9 -k 2x1=0,4 -v 2x1=10,20 -O csv --no-header
attend --empty nearest --valid-lens 1=0 -q 1 -k 2x1=0,4 -v 2x1=10,20 -O csv --no-header
# With a sink its logit is part of the log-sum-exp of a query that has keys.
attend --emit lse --sinks 1=0 --valid-lens 1x2=1,0 -q 2x1=0,0 -k 2x1=0,4 -v 2x1=10,20 --precision 6 -O csv --no-header
