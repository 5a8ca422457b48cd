# What drawing takes counts for --max-memory: too much is refused before gnuplot runs.
command -v gnuplot >/dev/null || { echo "gnuplot is not installed" >&2; exit 77; }
tconv linspace=0,1,90000 --reshape 300,300 -o m.h5:/y
tconv linspace=0,1,30000 -o v.h5:/y
while read -r enough little options; do
  tplot $options --max-memory "$enough" >/dev/null
  code=0
  PATH=$BUILD/bin tplot $options --max-memory "$little" >/dev/null 2>&1 || code=$?
  echo "$options: $code"
done <<'END'
4M 1M m.h5 --heatmap
12M 1M m.h5 --heatmap -f -o m.png
1M 500K m.h5 --histogram
12M 1M v.h5 --scatter -f -o v.png
12M 1M v.h5 --curves -f -o v.svg
END
awk 'BEGIN { print "x,y"; for (i = 0; i < 3000; ++i) print i / 3000 "," (7 * i) % 11 }' >s.csv
nwreg -x s.csv:/x -y s.csv:/y --bandwidth 0.1 --plot fit.svg --plot-weights weights.png -f -o y.h5 --max-memory 20M
