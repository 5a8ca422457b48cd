# -f is refused where there is no file to replace, and taken where the result or what is made beside it is one.
try() { "$@" >out || echo "exit code $?"; }
for output in '' '-o -' '-o -:/z'; do
  # shellcheck disable=SC2086
  try softmax 2=1,2 -f $output
done
try tconv --list 2=1,2 -f
try tplot 2=1,2 -f
command -v gnuplot >/dev/null || { echo "gnuplot is not installed" >&2; exit 77; }
try nwreg -x 3=1,2,3 -y 3=1,2,4 --bandwidth 1 --plot fit.png
try nwreg -x 3=1,2,3 -y 3=1,2,4 --bandwidth 1 --plot fit.png -f
try tplot 2=1,2 -o fit.png -f
