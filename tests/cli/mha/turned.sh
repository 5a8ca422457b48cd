# Projections stored as (in, out): the error names --transposed, and with it the result is that of the usual layout.
tconv linspace=-1,1,48 --reshape 12,4 -o w.h5:/in_proj_weight
tconv linspace=1,-1,16 --reshape 4,4 -o o.h5:/out_proj.weight
tconv w.h5 o.h5 -o usual.h5
tconv w.h5 --transpose -o w2.h5
tconv o.h5 --transpose -o o2.h5
tconv w2.h5 o2.h5 -o turned.h5
tconv linspace=-1,2,12 --reshape 3,4 -o x.h5
mha x.h5 -w turned.h5 --heads 2 || echo "exit code $?"
mha x.h5 -w usual.h5 --heads 2 -o y.h5
mha x.h5 -w turned.h5 --heads 2 --transposed --check y.h5 -o z.h5
# Queries, keys and values apart, narrower than the model.
for name in q k v; do tconv linspace=-1,1,8 --reshape 2,4 -o $name.h5:/$name.weight; done
tconv linspace=-1,1,8 --reshape 4,2 -o o3.h5:/o.weight
tconv q.h5 k.h5 v.h5 o3.h5 -o usual3.h5
for name in q k v; do tconv $name.h5 --transpose -o ${name}2.h5; done
tconv o3.h5 --transpose -o o4.h5
tconv q2.h5 k2.h5 v2.h5 o4.h5 -o turned3.h5
mha x.h5 -w turned3.h5 --heads 1 || echo "exit code $?"
mha x.h5 -w usual3.h5 --heads 1 -o y3.h5
mha x.h5 -w turned3.h5 --heads 1 --transposed --check y3.h5 -o z3.h5
