# A Makefile over a folder: all is made once, a second run makes nothing, and a changed recording what hangs on it. With
# -k a damaged recording stops only itself and the table of all.
command -v make >/dev/null || { echo "make is not installed" >&2; exit 77; }
. "$TESTDIR/recordings.shlib"
smooth() { make -s -f "$EXAMPLES/smooth.mk" "$@"; }
smooth -j 2
tconv smoothed/all.csv -O csv --precision 4 --slab :2
smooth -q && echo "nothing to do"
nwreg -x recordings/1.h5:/time -y recordings/1.h5:/value -q linspace=5,50,10 --bandwidth 2 | tdiff - smoothed/1.h5
touch recordings/1.h5
smooth -n | cut -d ' ' -f 1
smooth
head -c 2000 recordings/0.h5 >recordings/damaged.h5
smooth -k OUT=others 2>errors || ls others
grep nwreg: errors
