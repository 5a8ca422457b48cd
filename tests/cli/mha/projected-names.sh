# Projected queries, keys and values have names of their own: the output names none, and another dataset is in nobody's way.
tconv linspace=-1,1,12 --reshape 3,4 -o x.h5:/x
tconv linspace=-1,1,48 --reshape 12,4 -o maps.h5:/in_proj_weight
tconv linspace=-1,1,16 --reshape 4,4 -A -o maps.h5:/out_proj.weight
tconv 1=1 -o heads.h5:/y
mha --stage project x.h5 -w maps.h5 --heads 2 -A -o heads.h5
tconv --list heads.h5 | sed '/^@/d; /^ /d'
code=0
mha --stage project x.h5 -w maps.h5 --heads 2 -o other.h5:/z || code=$?
echo "$code"
