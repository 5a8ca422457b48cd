# A gnuplot that answers at length before it has read its script, and one that reads nothing: neither side waits for
# ever. One that fails after half a picture leaves none.
mkdir bin
PATH=$PWD/bin:$PATH
tplot_with() {
  printf '#!/bin/sh\n%s\n' "$1" >bin/gnuplot
  chmod +x bin/gnuplot
  timeout 20 tplot pe.h5 -f -o "$2" || echo $?
}
posenc --length 200 --dim 200 -o pe.h5
tplot_with 'head -c 1000000 /dev/zero; head -c 200000 /dev/zero >&2; cat >script; cat <&3 >numbers' late.png
tplot_with 'echo picture' deaf.png
tplot_with 'echo half; echo "no room" >&2; exit 1' failed.png
tplot_with 'echo half; kill -9 $$' killed.png
grep -c "unset multiplot" script
wc -c <numbers
wc -c <late.png
cat deaf.png
ls -A
