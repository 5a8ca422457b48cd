# A slab is cut from weights that are one tensor, and refused for a group of them, truly.
. "$SUPPORT/try.sh"
tconv 3x2=1,2,3,4,5,6 -o w.h5:/lin/weight
tconv 3=10,20,30 -A -o w.h5:/lin/bias
tconv 3x2=1,2,3,4,5,6 -A -o w.h5:/one
linear 2=1,1 -w w.h5:/one --slab weights=0:2 | tdiff - 2=3,7
linear 2=1,1 -w 'w.h5:/one[0:2]' | tdiff - 2=3,7
linear 2=1,1 -w w.h5:/lin/weight --slab w=2:,: | tdiff - 1=11
embed 2xi64=0,1 -w w.h5:/one --slab weights=1: | tdiff - 2x2=3,4,5,6
posenc 1x2=0,0 --kind learned -w w.h5:/one --slab weights=2: | tdiff - 1x2=5,6
addnorm --no-residual 2=1,3 -w w.h5:/one --slab weights=0 --eps 0 | tdiff - 2=-1,2
try linear 2=1,1 -w w.h5:/lin --slab weights=0:2 -o out.h5
try linear 2=1,1 -w 'w.h5:/lin[0:2]' -o out.h5
try embed 2xi64=0,1 -w w.h5:/lin --slab weights=0:2 -o out.h5
try addnorm --no-residual 2=1,3 -w w.h5:/lin --slab weights=0 -o out.h5
try ffn 2=1,1 -w w.h5:/lin --slab weights=0:2 -o out.h5
try mha 1x2=1,1 -w w.h5:/lin --slab weights=0:2 -o out.h5
# Queries, keys and values from INPUT: input= is of all three, a name of its own of one.
posenc --length 4 --dim 2 -o a.h5
tconv a.h5 --slab 0:2 -o b.h5
attend a.h5 --slab input=0:2 -o y.h5
attend b.h5 | tdiff - y.h5
attend -q b.h5 a.h5 -o q.h5
attend a.h5 --slab q=0:2 | tdiff - q.h5
try attend a.h5 --slab x=0:2 -o out.h5
attend a.h5 --slab input=0:2 --keep-input -o y.h5 -f
tdiff y.h5:/x b.h5
