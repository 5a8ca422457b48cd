# --vjp says that T5's table gets no gradient.
tconv linspace=-1,1,48 --reshape 12,4 -o w.h5:/in_proj_weight
tconv linspace=1,-1,16 --reshape 4,4 -A -o w.h5:/out_proj.weight
mha 1x2x4=1,2,3,4,5,6,7,8 -w w.h5 --heads 2 --t5-bias 4x2=1,2,3,4,5,6,7,8 --vjp 1x2x4=1,0,0,0,0,1,0,0 --no-history | tconv --list -
