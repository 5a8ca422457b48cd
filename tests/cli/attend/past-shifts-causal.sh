# With a past, causal attention counts positions from its end.
. "$TESTDIR/qkv"
attend -q "$X:/q" -k "$X:/k[:,:,3:]" -v "$X:/v[:,:,3:]" --past-key "$X:/k[:,:,:3]" --past-value "$X:/v[:,:,:3]" --causal -O csv >past.csv
pool --mask "$X:/lower_right" >mask.csv
cmp past.csv mask.csv
