# Equal seeds give equal text, whatever the batch; another seed, and each of several samples, draws otherwise.
sample() { transformer-run -m "$EXAMPLES/dates" --sample --temperature 3 "$@"; }
sample --seed 1 "3 mars 2021" >a
sample --seed 1 "3 mars 2021" "5/6/07" | head -n 1 >b
sample --seed 2 "3 mars 2021" >c
cmp a b
sample --seed 1 "5/6/07" "" "3 mars 2021" | tail -n 1 >b
cmp a b
sample --seed 1 --num-return 2 "3 mars 2021" | cut -f 1 >b
cmp a b
if cmp -s a c; then echo "the seed changes nothing"; fi
sample --seed 1 --num-return 3 "3 mars 2021" | tr '\t' '\n' | sort -u | wc -l
