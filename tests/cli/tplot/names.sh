# Pictures take their names from the data: columns of tables, attributes, datasets, files.
command -v gnuplot >/dev/null || { echo "gnuplot is not installed" >&2; exit 77; }
texts() { sed 's/<text>/\n<text>/g' "$1" | sed -n 's/^<text>\(.*\)<\/text>.*/\1/p' | grep -v '^ *[-0-9.e+]*$' | sort -u | paste -s -d'|' -; }
cat >m.csv <<'END'
age,weight loss,a_b^{c}
1,2,3
4,6,1
7,3,2
END
tconv m.csv -o m.h5
printf '1,2\n3,4\n' | tplot --no-header --curves -o plain.svg
grep -o '<text>[01]</text>' plain.svg | sort -u
for file in m.csv m.h5; do
  tplot $file -o map.svg -f
  texts map.svg
  tplot --curves $file -o curves.svg -f
  texts curves.svg
done
tplot --scatter -x m.csv:/age "m.csv:/weight loss" -o points.svg
texts points.svg
tplot --scatter -x m.csv:/0 m.csv:/1 --xlabel years --ylabel kg -o mine.svg
texts mine.svg
tplot --histogram m.csv:/age -o bars.svg
texts bars.svg
nwreg -x m.csv:/age -y "m.csv:/weight loss" --bandwidth 2 --plot fit.svg --plot-weights weights.svg -o fit.h5
texts fit.svg
texts weights.svg
# Fits of several columns are named after them, and have their colours.
tplot --scatter m.csv --fit m.csv -o fits.svg
texts fits.svg
grep -o "color='rgb([^)]*)'\|stroke='rgb(  0,[^)]*)'\|stroke='rgb(213,[^)]*)'" fits.svg | tr -d ' ' | sort -u
# From HDF5 likewise, from literals nothing.
tconv m.csv:/age -o parts.h5:/run/age
tconv "m.csv:/weight loss" -A -o parts.h5:/run/loss
nwreg -x parts.h5:/run/age -y parts.h5:/run/loss --bandwidth 2 --plot fit.svg -f -o fit.h5
texts fit.svg
tplot -x 3xf64=1,2,3 3xf64=1,2,4 -o none.svg
texts none.svg
# On the terminal columns have their names in a line, or letter below letter.
tplot m.csv
tplot m.csv --size 12x5
