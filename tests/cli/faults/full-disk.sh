# A disk that fills up: 74, one line, and no file, also where the limit is on the size of files; what is there stays.
for format in h5 csv npy safetensors; do
  (ulimit -f 100; tconv linspace=0,1,1000000 -O $format -o out.$format) && echo "no error" || echo $?
  tconv linspace=0,1,1000000 -O $format >/dev/full && echo "no error" || echo $?
done
tconv linspace=0,1,10 -o old.h5:/a
cp old.h5 before.h5
(ulimit -f 100; tconv linspace=0,1,1000000 -A -o old.h5:/b) && echo "no error" || echo $?
(ulimit -f 100; tconv linspace=0,1,1000000 -f -o old.h5) && echo "no error" || echo $?
cmp old.h5 before.h5
# What was put off until the end of the run fails there.
tconv 1 >/dev/full && echo "no error" || echo $?
tconv --list old.h5 >/dev/full && echo "no error" || echo $?
tdiff 1 2 >/dev/full && echo "no error" || echo $?
ls -A
