# With valid lengths the last query of --causal-bottom-right sees the last valid key.
. "$TESTDIR/qkv"
pool --causal-bottom-right --valid-lens "$X:/lens" --quiet >a.csv
pool --mask "$X:/lens_lower_right" --quiet >b.csv
cmp a.csv b.csv
