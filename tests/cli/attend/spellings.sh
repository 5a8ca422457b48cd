# What two spellings of one attention give is the same, bit for bit: masks, lengths, windows and biases.
. "$TESTDIR/qkv"
same() { # OPTIONS OPTIONS
  # shellcheck disable=SC2086
  pool $1 >a.csv
  # shellcheck disable=SC2086
  pool $2 >b.csv
  cmp a.csv b.csv || echo "differ: $1 and $2"
}

# Causal attention is attention under the lower triangular mask; to the bottom right, the last query sees the last key.
same "--causal" "--mask $X:/lower"
same "--causal-bottom-right" "--mask $X:/lower_right"
# A window is a band of the mask. -1 is no limit: to the left it is causal attention.
same "--window 2,1" "--mask $X:/band"
same "--window -1,0" "--causal"

# Valid lengths (B) exclude the keys from there on; (B, L) are those of each query, (B, H, L) of each head's.
same "--valid-lens $X:/lens" "--mask $X:/lens_mask"
same "--valid-lens $X:/lens_bl" "--mask $X:/lens_bl_mask"
same "--valid-lens $X:/lens_bhl" "--mask $X:/lens_bhl_mask"
# A key must pass every mask. To the bottom right, the last query sees the last valid key.
same "--causal --valid-lens $X:/lens" "--mask $X:/lower --valid-lens $X:/lens"
same "--causal-bottom-right --valid-lens $X:/lens --quiet" "--mask $X:/lens_lower_right --quiet"

# A mask (B * H, L, S) is one for each head of each batch. --mask-invert reads 1 as "takes no part".
same "--mask $X:/mask" "--mask $X:/mask_bhls"
same "--mask $X:/mask" "--mask $X:/not_mask --mask-invert"
# Minus infinity in an additive mask is exclusion. A float mask of 0 and 1 is boolean if --mask-type says so.
same "--mask $X:/mask" "--mask $X:/mask_bias"
tconv "$X:/mask" -o mask.csv
same "--mask $X:/mask" "--mask mask.csv --mask-type boolean"

# A float mask is added to the scores, as a bias is; so are integers with --mask-type additive.
same "--bias $X:/bias" "--mask $X:/bias"
same "--bias 1x9xf64=0,1,2,3,4,5,6,7,8" "--mask 1x9xi32=0,1,2,3,4,5,6,7,8 --mask-type additive"
# ALiBi subtracts slope times distance; --alibi takes the slopes 2^(-8 h / H).
same "--alibi-slopes $X:/slopes" "--bias $X:/alibi"
same "--alibi" "--alibi-slopes $X:/default_slopes"
