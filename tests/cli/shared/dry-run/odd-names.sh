# An output that cannot be looked at (a name that is too long, a link that leads to itself, a folder that may not be
# searched) is refused by --dry-run with the line and the exit code of the run.
long=$(printf "n%0259d" 0)
ln -s itself itself
mkdir closed
chmod -x closed
check() { # ARGUMENT...
  code=0 planned=0
  "$@" 2>run.err || code=$?
  "$@" -n >/dev/null 2>plan.err || planned=$?
  [ $code -eq 73 ] && [ $planned -eq 73 ] && cmp -s run.err plan.err ||
    echo "$*: $code $(cat run.err), with -n $planned $(cat plan.err)"
}
for name in "$long" itself; do
  check tconv 2=1,2 -o "$name"
  check tconv 2=1,2 -f -o "$name"
  check tconv 2=1,2 -A -o "$name"
  check softmax 2=1,2 -O csv -o "$name"
  check attend --explain 0,0 1x1x2=1,2 -k 1x1x2=1,2 -v 1x1x2=1,2 -o "$name"
done
[ "$(id -u)" -eq 0 ] || check tconv 2=1,2 -o closed/y.h5
