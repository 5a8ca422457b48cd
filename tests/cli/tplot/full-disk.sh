# A disk that fills up under a picture: 74, one line, and the old picture stays.
command -v gnuplot >/dev/null || { echo "gnuplot is not installed" >&2; exit 77; }
posenc --length 200 --dim 100 -o pe.h5
for suffix in png pdf svg; do
  echo "an old picture" >old.$suffix
  for out in old new; do
    (ulimit -f 8; tplot pe.h5 -f -o $out.$suffix) && echo "no error" || echo $?
  done
  cat old.$suffix
done
tplot 3xf64=1,3,2 >/dev/full && echo "no error" || echo $?
ls -A
