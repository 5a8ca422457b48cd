# Large heat maps and long curves: gnuplot gets what the picture can show.
command -v gnuplot >/dev/null || { echo "gnuplot is not installed" >&2; exit 77; }
tconv linspace=0,1,4000000 --reshape 2000,2000 -o m.h5
tconv linspace=0,1,1000000 -o v.h5
for suffix in png svg pdf; do
  timeout 20 tplot m.h5 -o map.$suffix
  timeout 20 tplot v.h5 -o curve.$suffix
  [ "$(wc -c <map.$suffix)" -lt 1000000 ] || echo "map.$suffix is large"
  [ "$(wc -c <curve.$suffix)" -lt 500000 ] || echo "curve.$suffix is large"
done
# A pixel of more columns than pixels has the mean of its columns: here of 0 and 1.
tconv linspace=0,3999,4000 --reshape 1,4000 -o long.h5
tplot 'long.h5[:,::2]' --size 420x300 -f -o mean.png
# A thin line does not get lost: the lowest and the highest value of 1000000 are drawn.
{ yes 0 | head -n 500000; echo 9; yes 0 | head -n 499999; } >peak.csv
tplot peak.csv --no-header --legend none --y-range 0:10 -o peak.svg
grep -o ' [0-9.]*,[0-9.]*' peak.svg | cut -d, -f2 | sort -n | head -1 | awk '{ print ($1 < 100 ? "peak" : "no peak") }'
