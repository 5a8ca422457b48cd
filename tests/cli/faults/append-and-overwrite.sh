# An appender looks at the file and replaces it under a lock: no other one comes between.
# A lock that flock(1) holds for its command is the command's own.
tconv 2=1 -o out.h5:/first
cp out.h5 old.h5
mkfifo locked
flock . sh -c 'echo >locked; sleep 0.6; cmp old.h5 out.h5' &
read -r _ <locked
tconv 2=2 -A -o out.h5:/second
wait $!
flock . timeout 5 tconv 2=3 -A -o out.h5:/third
tconv --list out.h5 | grep '^[a-z]'
