# A mask (B * H, L, S) is one for each head of each batch.
. "$TESTDIR/qkv"
pool --mask "$X:/mask" >a.csv
pool --mask "$X:/mask_bhls" >b.csv
cmp a.csv b.csv
