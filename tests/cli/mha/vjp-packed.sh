# The gradient of one map of inputs by outputs that is cut into three, GPT-2's c_attn, agrees with differences.
posenc --length 5 --dim 4 -o x.h5
posenc --length 4 --dim 12 --base 3 -o w.h5:/attn/c_attn.weight
posenc --length 4 --dim 4 --base 2 -A -o w.h5:/attn/c_proj.weight
mha x.h5 -w w.h5:/attn --heads 2 --check-grad 3 | awk '{ print $1, ($2 < 1e-6) }'
