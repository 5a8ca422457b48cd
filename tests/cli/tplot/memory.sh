# What drawing takes counts for --max-memory: what --dry-run says is enough, and half of it is refused before gnuplot runs.
command -v gnuplot >/dev/null || { echo "gnuplot is not installed" >&2; exit 77; }
tconv linspace=0,1,90000 --reshape 300,300 -o m.h5:/y
tconv linspace=0,1,30000 -o v.h5:/y
while read -r options; do
  needed=$(tplot $options -n | sed -n 's|^memory  \(.*\) bytes$|\1|p')
  tplot $options --max-memory "$needed" >/dev/null
  code=0
  PATH=$BUILD/bin tplot $options --max-memory $((needed / 2)) >/dev/null 2>&1 || code=$?
  echo "$options: $code"
done <<'END'
m.h5 --heatmap
m.h5 --heatmap -f -o m.png
m.h5 --histogram
v.h5 --scatter -f -o v.png
v.h5 --curves -f -o v.svg
END
awk 'BEGIN { print "x,y"; for (i = 0; i < 3000; ++i) print i / 3000 "," (7 * i) % 11 }' >s.csv
options="-x s.csv:/x -y s.csv:/y --bandwidth 0.1 --plot fit.svg --plot-weights weights.png -f -o y.h5"
needed=$(nwreg $options -n | sed -n 's|^memory  \(.*\) bytes$|\1|p')
nwreg $options --max-memory "$needed"
