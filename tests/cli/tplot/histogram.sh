# Bars cover the range of the values, one alone too; what is no number is counted aside.
command -v gnuplot >/dev/null || { echo "gnuplot is not installed" >&2; exit 77; }
tics() { sed 's/<text>/\n<text>/g' "$1" | grep -o '> *[-0-9.e+][-0-9.e+]*<' | tr -d '>< ' | paste -s -d' ' -; }
tplot --histogram 4xf64=1,2,nan,4 --bins 3 -o three.svg
tics three.svg
tplot --histogram 3xf64=7,7,7 -o one.svg
tics one.svg
tplot --histogram 2xf64=-4e299,4e299 --bins 2 --size 60x12 | head -3
