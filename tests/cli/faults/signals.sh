# A signal at many points of a write: the old file stays, whole, and the shell sees the signal. No temporary file is
# left; kill -9, which nobody can catch, leaves one of the name that attn-tensors(5) gives, and no other.
tconv linspace=0,1,10 -o old.h5
tconv linspace=0,1,1000000 -o big.h5
round() {
  mkdir "$1-$2"
  cp old.h5 "$1-$2/out.h5"
  # The pipe stays open, so that the tool has always more to wait for.
  code=0
  ({ cat big.h5 big.h5 big.h5 2>broken; exec sleep 1; } |
    timeout --preserve-status -s "$1" "$2" tconv -f -o "$1-$2/out.h5") 2>"$1-$2.errors" || code=$?
  # What the shell says.
  grep -v -e ^Killed -e '^User defined signal 1' -e '^Alarm clock' -e '^Real-time signal' "$1-$2.errors" || true
  [ $code -gt 128 ] || echo "$1 after $2: exit code $code"
  cmp "$1-$2/out.h5" old.h5 || echo "$1 after $2: the old file is gone"
}
for signal in TERM INT HUP QUIT USR1 ALRM RTMIN KILL; do
  for delay in 0.001 0.002 0.005 0.01 0.02 0.03 0.05; do
    round $signal $delay &
  done
done
wait
find . -name '.*.tmp' ! -path './KILL-*'
ls -d [!K]*/* | sed 's,.*/,,' | sort -u
ls -A KILL-*[0-9] | grep -v -e ^KILL -e '^$' -e '^out.h5$' -e '^\.out\.h5\.[0-9]*-[0-9]*\.tmp$' || true
# A next run is not in the way of what is left.
tconv old.h5 -f -o KILL-0.05/out.h5
