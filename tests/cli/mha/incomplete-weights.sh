# Weights that lack a tensor, or hold integers, are refused with the tensor's name; only modules without W^O pool alone.
cp $FIXTURES/layers/layers.h5 .
L=layers.h5
try() { mha $L:/x -w $1 --heads 4 -o y.h5 || echo "exit $?"; }
tconv $L --select 'self_attn/in_*' --select self_attn/out_proj.bias -o bias.h5
try bias.h5:/self_attn
tconv $L --select 'self_attn/in_*' -o none.h5
try none.h5:/self_attn
tconv 3x1xi32=1,2,3 -o integers.h5:/in_proj_weight
tconv 1x1=1 -A -o integers.h5:/out_proj.weight
mha 2x1=1,2 -w integers.h5 --heads 1 -o y.h5 || echo "exit $?"
tconv $L --select self_attn/in_proj_weight --split 0 --parts 3 -o parts.h5
tconv parts.h5 --rename self_attn/in_proj_weight/0=query/weight,self_attn/in_proj_weight/1=key/weight,self_attn/in_proj_weight/2=value/weight -o self.h5
mha $L:/x -w self.h5 --heads 1 -o pooled.h5
mha --stage project $L:/x -w self.h5 --heads 1 | attend | tconv --reshape 2,6,8 | tdiff - pooled.h5
tconv $L --select self_attn/out_proj.bias --rename self_attn/out_proj.bias=output/bias -A -o self.h5
try self.h5
