# A file that another program has open and locked, as HDF5 does while it writes, takes no more: what that program adds
# would be lost. One that it reads does, and so does one whose lock is the caller's own.
command -v flock >/dev/null || { echo "no flock" >&2; exit 77; }
tconv 2=1,2 -o out.h5:/a
cp out.h5 before.h5
append() { # exit code of adding /b
  code=0
  tconv 2=3,4 -A -o out.h5:/b 2>&1 || code=$?
  echo $code
}
mkfifo is_held held
for mode in -x -s; do
  flock $mode out.h5 sh -c 'echo >is_held; cat held' &
  read -r _ <is_held
  echo "flock $mode: $(append)"
  [ $mode = -s ] || cmp out.h5 before.h5
  echo >held
  wait
done
tconv 2=1,2 --replace-file -o out.h5:/a
flock out.h5 tconv 2=3,4 -A -o out.h5:/b
tconv --list out.h5 | grep '^[ab]'
