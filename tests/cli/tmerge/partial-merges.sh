# Adjacent parts merge to larger parts of the tree, in any order: the same nodes, and the same result.
posenc --length 40000 --dim 4 --dtype f32 -o k.h5
for i in $(seq 7); do attend -q "k.h5:/y[:3]" -k k.h5 -v k.h5 --shard "$i/7" --emit state -o "$i.h5"; done
tmerge 1.h5 2.h5 3.h5 4.h5 5.h5 6.h5 7.h5 --emit state --no-history -o whole.h5
tmerge 3.h5 2.h5 --emit state -o 23.h5
tmerge 5.h5 6.h5 4.h5 --emit state -o 456.h5
tmerge 23.h5 456.h5 --emit state -o 2-6.h5
tmerge 7.h5 2-6.h5 1.h5 --emit state --no-history -o parts.h5
cmp whole.h5 parts.h5
attend -q "k.h5:/y[:3]" -k k.h5 -v k.h5 --emit state --no-history -o one.h5
for name in content maximum total output; do tdiff "one.h5:/part/$name" "whole.h5:/part/$name" --ulp 0; done
tconv --list whole.h5 | grep ^part/
attend -q "k.h5:/y[:3]" -k k.h5 -v k.h5 -o y.h5
tmerge whole.h5 | tdiff - y.h5 --ulp 0
