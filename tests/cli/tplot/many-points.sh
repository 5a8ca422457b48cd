# 100000 points let the fit through; few points are as they were; --alpha decides.
command -v gnuplot >/dev/null || { echo "gnuplot is not installed" >&2; exit 77; }
awk 'BEGIN { print "x,y"; for (i = 0; i < 100000; ++i) print i % 1000 ",", (i * 7919) % 1009 }' >many.csv
tplot --scatter -x many.csv:/x many.csv:/y --fit 2xf64=500,500 --fit-x 2xf64=0,999 -o many.png
# Of 500 pixels across the cloud two or three have the colour of the fit (213, 94, 0); none the full colour of points.
tconv 'many.png:/pixels[20:490,400]' -O csv --no-header >column.csv
awk -F, '{ fit += $1 > 200 && $3 < 40; full += $1 < 20 && $3 > 100 } END { print (fit >= 1 && fit <= 4 ? "fit" : "no fit: " fit); print full + 0 }' column.csv
tplot --scatter 3xf64=1,2,3 -o few.png
tconv few.png:/pixels -O csv --no-header --reshape -1,3 | grep -c '^0,114,178$' >/dev/null || echo "no full colour"
tplot --scatter 3xf64=1,2,3 --alpha 0.2 -o faint.png
tconv faint.png:/pixels -O csv --no-header --reshape -1,3 | grep -c '^204,22[67],239$' >/dev/null || echo "no faint colour"
