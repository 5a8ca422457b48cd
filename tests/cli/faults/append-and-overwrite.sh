# An appender looks at the file and replaces it under a lock, and so do writers that replace it whole: none comes between.
# A lock that flock(1) holds for its command is the command's own.
tconv 2=1 -o out.h5:/first
cp out.h5 old.h5
writes() { # OPTION...: with the folder locked by another for a while
  mkfifo locked
  flock . sh -c 'echo >locked; sleep 0.6; cmp old.h5 out.h5' &
  read -r _ <locked
  tconv 2=2 "$@" -o out.h5:/second
  wait $!
  rm locked
  tconv --list out.h5 | grep '^[a-z]'
}
writes -A
cp out.h5 old.h5
writes -f
for options in -A -f; do
  flock . timeout 5 tconv 2=3 $options -o out.h5:/third
  tconv --list out.h5 | grep '^[a-z]'
done
