# A symbolic link to a file that does not exist yet makes that file, whole or not at all, and stays; -f is not needed.
# Where the folder is missing that it leads to, that is said.
mkdir far
ln -s far/real.h5 near
ln -s ../chain far/link
ln -s far/link start
ln -s loop loop
ln -s nowhere/real.h5 lost

tconv 2=1,2 -o x.h5
tconv x.h5 -o near
softmax x.h5 -o start -f
tconv x.h5:/y -A -o start:/z
ls -A . far
tdiff x.h5 near
tdiff x.h5 far/real.h5
tconv --list chain
rm chain far/real.h5

echo "# text, and pictures"
tdiff 1 2 -o start || cat chain
rm chain
tconv --list x.h5 -o start
test -f chain && test -L start && rm chain
if command -v gnuplot >/dev/null; then
  ln -s real.svg picture.svg
  tplot 3=1,2,3 -o picture.svg
  test -f real.svg && test -L picture.svg && rm real.svg picture.svg
fi

echo "# refused"
try() { "$@" 2>&1 || echo "exit code $?"; }
try softmax x.h5 -o lost
try tconv x.h5 -f -o lost
try tconv x.h5 -A -o lost:/z
try tconv --list x.h5 -o lost
try tconv x.h5 -o loop
tconv x.h5 -o near
try tconv x.h5 -o near
(ulimit -f 1; try tconv linspace=0,1,1000 -o start) | cat
ls -A . far
