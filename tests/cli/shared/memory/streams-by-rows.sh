# Through a pipe of stages rows flow: no stage holds what goes through it, the first rows come out before the last come
# in, and a stream that ends early is an error of each stage and leaves no file.
[ -x /usr/bin/time ] || exit 77
posenc --length 100000 --dim 64 --dtype f64 -o x.h5
posenc --length 64 --dim 64 -o w.h5
kilobytes() { /usr/bin/time -f %M -a -o kilobytes "$@"; }
tconv x.h5 | kilobytes softmax --no-history | kilobytes linear -w w.h5:/y --no-history | kilobytes tconv --no-history >piped.h5
for stage in softmax "linear -w w.h5:/y" tconv; do
  # shellcheck disable=SC2086
  $stage x.h5 --no-history -f -o y.h5
  mv y.h5 x.h5
done
cmp x.h5 piped.h5
awk '$1 > 45000 { print "a stage holds " $1 " KB of 51200" }' kilobytes
mkfifo late
{
  head -c 20000000 x.h5
  read -r _ <late
  tail -c +20000001 x.h5
} | softmax | {
  head -c 1000000 >/dev/null
  echo came early
  echo >late &
  cat >/dev/null
}
for bytes in 700 1000000 40000000; do
  code=0
  head -c $bytes x.h5 | softmax 2>said | softmax -o y.h5 2>>said || code=$?
  echo "$code $(grep -c 'is truncated\|is empty' said)"
  [ ! -e y.h5 ]
done
cat x.h5 x.h5 | softmax | tconv --list | grep -c '^y'
tconv x.h5 -O npy | tconv - -O safetensors | tconv - -O npy | tdiff --ulp 0 --quiet - x.h5
# Tables too, as their rows come; where HDF5 needs their number, --rows says it.
tconv x.h5 -O csv --dtype f64 >x.csv
awk 'NR % 1000 == 0 { print "# a comment" } 1' x.csv >commented.csv
rm kilobytes
cat x.csv | kilobytes softmax -O csv | kilobytes tconv -O csv | kilobytes softmax -O tsv >piped.tsv
cat commented.csv | kilobytes softmax --rows 100000 | kilobytes tconv --rows 100000 | softmax -O tsv | cmp - piped.tsv
awk '$1 > 90000 { print "a stage holds " $1 " KB of a table" }' kilobytes
for rows in 99999 100001; do cat x.csv | softmax --rows $rows -o y.h5 || echo "$?"; done
[ ! -e y.h5 ]
# A run that needs all rows at once counts them as well.
cat x.csv | softmax --rows 99999 --keep-input -o y.h5 || echo "$?"
{ cat x.csv; echo oops; } | softmax -O csv >cut.csv || echo "$?"
# A table that is cut short says so to the next stage, whatever that writes.
for last in 2000 90000; do
  for next in "softmax -O csv" "softmax -o y.h5" "tconv --rows 100000 -o y.h5" "tdiff - x.csv"; do
    # shellcheck disable=SC2086
    { head -n $last x.csv; echo oops; } | softmax -O csv 2>said | $next >cut.csv 2>said || echo "$?"
    grep -q 'the table is cut short' said || cat said
    [ ! -e y.h5 ]
  done
done
for options in "-O npy" "--stats" "--check x.csv" "--dims a,b --dtype i64 --check x.csv" "--fail-on-nonfinite"; do
  # shellcheck disable=SC2086
  cat x.csv | softmax --no-history $options >piped 2>said || [ "$options" != "-O npy" ]
  # shellcheck disable=SC2086
  softmax x.csv --no-history $options 2>said-of-file | cmp - piped
  cmp said said-of-file
done
# What is expanded as it is read is gone when it has been used, so that an input that is kept is whole.
gzip -kf x.csv x.h5
for x in x.csv x.h5; do
  for options in "--keep-input" ""; do
    for file in $x $x.gz; do
      # shellcheck disable=SC2086
      softmax $file $options --no-history -f -o $file.y.h5
    done
    cmp $x.y.h5 $x.gz.y.h5
  done
  addnorm $x.gz -r $x.gz --no-norm --no-history -f -o $x.gz.y.h5
  addnorm $x -r $x --no-norm --no-history -f -o $x.y.h5
  cmp $x.y.h5 $x.gz.y.h5
done
