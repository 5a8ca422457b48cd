# A forced end token leaves one answer of one token: the others are empty, so that rows and scores stay with their
# prompts.
run() {
  transformer-run -m "$CONFORMANCE/models/bart" --beams 3 --num-return 3 --max-new-tokens 1 \
    --emit scores,logits "$@"
}
run --ids 2x4xi64=0,4,5,2,0,7,9,2 -o both.h5
run --ids 1x4xi64=0,7,9,2 -o second.h5
tconv both.h5:/y -O csv | tail -n 6
tconv both.h5:/scores -O csv | tail -n 6
tdiff 'both.h5:/logits[3:]' second.h5:/logits && echo "each row has the logits of its own prompt"
