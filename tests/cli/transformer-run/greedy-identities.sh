# Sampling that leaves one token to draw from is greedy search, and so is one beam.
text="2 de abril de 1987"
expected=$(transformer-run -m "$EXAMPLES/dates" "$text")
[ -n "$expected" ]
for options in "--top-k 1" "--top-p 1e-9" "--min-p 1" "--temperature 1e-4"; do
  answer=$(transformer-run -m "$EXAMPLES/dates" --sample --seed 5 $options "$text")
  [ "$answer" = "$expected" ] || echo "$options: $answer, expected $expected"
done
[ "$(transformer-run -m "$EXAMPLES/dates" --beams 1 "$text")" = "$expected" ] || echo "--beams 1 differs"
