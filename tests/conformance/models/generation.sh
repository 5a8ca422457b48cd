# Generation as transformers does it: tokens equal, scores of beams within 1e-12 in f64, in f32 tokens equal too.
. "$TESTDIR/compare.shlib"
generates() { # MODEL CASE OPTION...: the arguments of generate() that the case's attributes name
  folder=$TESTDIR/$1 name=$2
  case=$folder/cases.h5:/$name
  shift 2
  for dtype in f64 f32; do
    run --ids "$case/in/input_ids" --max-new-tokens 16 --emit scores "$@"
    compare y sequences 0
    if has out/sequences_scores; then compare scores sequences_scores "$(bound_of $dtype)"; fi
  done
}
for model in gpt2 llama bart t5 t5-gated; do generates $model greedy; done
for model in gpt2 bart t5 t5-gated; do generates $model greedy-no-repeat --no-repeat-ngram 1; done
generates gpt2 greedy-left-padded
generates gpt2 repetition-penalty --repetition-penalty 1.7
generates gpt2 beam --beams 4 --num-return 3
generates gpt2 beam-penalty --beams 3 --length-penalty 2 --no-repeat-ngram 2 --early-stopping yes
generates llama beam --beams 4
generates bart beam --beams 4 --no-repeat-ngram 2 --early-stopping yes
generates t5 beam --beams 4 --no-repeat-ngram 2
generates t5-gated beam --beams 4 --no-repeat-ngram 2
exit $failed
