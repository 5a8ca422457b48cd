# Kernels, averages, sinks, packed heads and rows without a key are finished as in one run.
posenc --length 9000 --dim 8 --base 50 --dtype f32 -o k.h5
posenc --length 6 --dim 8 --base 7 --dtype f32 -o q.h5
check() {
  attend -q q.h5 -k k.h5 -v k.h5 "$@" -f -o one.h5 2>one.txt
  for i in 1 2; do attend -q q.h5 -k k.h5 -v k.h5 "$@" --shard "$i/2" --emit state -f -o "$i.h5"; done
  tmerge 1.h5 2.h5 -f -o y.h5 2>merged.txt
  tdiff y.h5 one.h5 --ulp 0
  sed -i 's/^[a-z]*: //' one.txt merged.txt
  cmp one.txt merged.txt
}
check --score parabolic --bandwidth 1
check --score laplace --bandwidth 0.1
check --score gaussian --normalize none
check --normalize uniform
check --heads 2 --sinks 2=0.5,1
check --layout heads-first --valid-lens 6=0,1,4096,4097,9000,0 --empty nan
tmerge 1.h5 2.h5 --emit lse -f -o y.h5
tmerge 1.h5 2.h5 --dtype f64 | tconv --list - | grep -o 'y .*'
for i in 1 2; do attend -q q.h5 -k k.h5 -v k.h5 --normalize uniform --shard "$i/2" --emit state -f -o "$i.h5"; done
tmerge 1.h5 2.h5 --emit lse -f -o y.h5 || echo $?
