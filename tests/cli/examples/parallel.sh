# GNU parallel: a damaged file is named with its exit code and stops no other; mended, it alone is done again.
parallel --version 2>&1 | grep -q '^GNU parallel' || { echo "GNU parallel is not installed" >&2; exit 77; }
. "$TESTDIR/recordings.shlib"
cp recordings/0.h5 whole.h5
head -c 2000 whole.h5 >recordings/damaged.h5
code=0
HOME=$PWD "$EXAMPLES/parallel.sh" recordings "all smoothed" || code=$?
echo "code $code"
ls "all smoothed"
cp whole.h5 recordings/damaged.h5
HOME=$PWD parallel -j 2 --retry-failed --joblog "all smoothed/jobs"
tdiff "all smoothed/0.h5" "all smoothed/damaged.h5"
rm -r "all smoothed" recordings/damaged.h5
HOME=$PWD "$EXAMPLES/parallel.sh" recordings "all smoothed"
