# Of several answers to each text a trace holds one row an answer behind the decoder, and one a text before it: it
# replays to the bits of its run from every stage.
models=$CONFORMANCE/models
replays() {
  model=$1
  shift
  transformer-run -m "$model" "$@" --trace run.h5 -f --emit logits,encoder -o whole.h5
  tconv --list run.h5 --select '*coder/output'
  for stage in encoder/embedding encoder/0 encoder/norm decoder/embedding decoder/0 decoder/1 decoder/norm logits; do
    transformer-run -m "$model" --replay run.h5 --from $stage -f -o again.h5
    tdiff again.h5:/y whole.h5:/logits || echo "from $stage"
  done
  transformer-run -m "$model" --replay run.h5 --from encoder/embedding --to encoder/norm -f -o again.h5
  tdiff again.h5:/y whole.h5:/encoder
}
replays "$EXAMPLES/dates" --beams 3 --num-return 3 "3 mars 2021" "July 4"
for model in bart t5; do
  replays "$models/$model" --ids 2x3xi64=5,6,7,8,9,10 --max-new-tokens 5 --beams 2 --num-return 2
done
replays "$models/bart" --ids 2x3xi64=5,6,7,8,9,10 --max-new-tokens 5 --sample --num-return 2 --seed 1
# Rows that belong to no whole number of answers are refused; --to takes one target a text, as a whole run does.
tconv "run.h5:/decoder/0/output[:3]" -o odd.h5:/decoder/0/output
tconv run.h5:/encoder/output -A -o odd.h5:/encoder/output
transformer-run -m "$models/bart" --replay odd.h5 --from decoder/1 2>&1 || echo $?
transformer-run -m "$models/bart" --ids 2x3xi64=5,6,7,8,9,10 --decoder-ids 4x1xi64=2,2,2,2 --to decoder/0 2>&1 || echo $?
