# NaN in a query stays in its row.
nwreg -x 3xf64=0,1,2 -y 3xf64=1,2,3 -q 3xf64=0,nan,2 --bandwidth 0.01 -O csv --no-header
# Infinite queries are counted with them; labels too.
nwreg -x 3xf64=1,2,3 -y 3xf64=1,2,4 -q 4xf64=inf,2,nan,-inf --bandwidth 1 --degree 1 -O csv --precision 3
nwreg -x 3xf64=1,2,3 -y str=a,b,b --classify -q 2xf64=inf,2 --bandwidth 1 -O csv
