# Two writers of one output: one of the two results is there, whole.
tconv linspace=0,1,300000 -o a.h5
tconv linspace=1,2,300000 -o b.h5
for round in 1 2 3 4 5; do
  tconv a.h5 -f -o out.h5 &
  tconv b.h5 -f -o out.h5
  wait
  tdiff a.h5 out.h5 >/dev/null || tdiff b.h5 out.h5
done
ls -A
