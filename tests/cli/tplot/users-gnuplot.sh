# What a user has set up for plots of his own changes no picture.
command -v gnuplot >/dev/null || { echo "gnuplot is not installed" >&2; exit 77; }
mkdir home
echo 'set xrange [0:1]' >home/.gnuplot
tplot 4=1,5,2,0 -o plain.svg
HOME=$PWD/home GNUTERM=nonsense tplot 4=1,5,2,0 -o other.svg
cmp plain.svg other.svg
