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
