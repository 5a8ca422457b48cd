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
# Beams are drawn too: as equal seeds say, the best first, and no two are the same.
drawn() { sample --beams 4 --num-return 3 --json "$@" "3 mars 2021" | grep -o '"score":[^,}]*' | cut -d : -f 2; }
drawn --seed 1 >a
drawn --seed 1 | cmp a -
drawn --seed 2 | cmp -s a - && echo "another seed draws the same beams"
sort -rg a | cmp a -
sample --beams 4 --num-return 3 --seed 1 "3 mars 2021" | tr '\t' '\n' | sort -u | wc -l

# What a seed draws is the same on every machine: these texts were drawn once and stay.
transformer-run -m "$EXAMPLES/dates" --dtype f64 --sample --temperature 2 --seed 42 "3 mars 2021" "27 juli 2039"

# Sampling that leaves one token to draw from is greedy search, and so is one beam.
text="2 de abril de 1987"
expected=$(transformer-run -m "$EXAMPLES/dates" "$text")
[ -n "$expected" ]
for options in "--top-k 1" "--top-p 1e-9" "--min-p 1" "--temperature 1e-4"; do
  answer=$(transformer-run -m "$EXAMPLES/dates" --sample --seed 5 $options "$text")
  [ "$answer" = "$expected" ] || echo "$options: $answer, expected $expected"
done
[ "$(transformer-run -m "$EXAMPLES/dates" --beams 1 "$text")" = "$expected" ] || echo "--beams 1 differs"
