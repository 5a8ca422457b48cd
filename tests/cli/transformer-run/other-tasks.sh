# Options for models of other tasks are refused, with the task of the model and what the option is for; what a task reads
# is accepted, and so are options without effect this time.
. "$SUPPORT/try.sh"
for model in bert bert-classify bert-answer bert-tokens bert-masked-lm gpt2 vit-classify t5; do
  ln -s "$CONFORMANCE/models/$model" .
done
refuse() { # MODEL OPTION...
  model=$1
  shift
  try transformer-run -m "$model" "$@"
}
refuse bert-classify --beams 4 'the man'
refuse bert-classify --sample 'the man'
refuse bert-classify --seed 3 --ids 1x2xi64=1,2
refuse bert-classify --stop x 'the man'
refuse bert-classify --chat '[]'
refuse bert-classify --pool cls 'the man'
refuse bert-classify --no-answer 'the man'
refuse bert-classify --aggregate simple 'the man'
refuse bert-classify --stride 2 'the man'
refuse bert-answer --normalize-embeddings --ids 1x2xi64=1,2
refuse bert-answer --prompt query 'who'
refuse bert-tokens --best 2 'the man'
refuse bert-masked-lm --dimensions 2 'the [MASK]'
refuse bert --best 2 'the man'
refuse bert --max-new-tokens 2 'the man'
refuse gpt2 --best 2 'the man'
refuse gpt2 --stride 2 'the man'
refuse gpt2 --prompt-text query 'the man'
refuse gpt2 --task perplexity --max-new-tokens 2 'the man'
refuse t5 --pool mean --ids 1x2xi64=1,2
refuse vit-classify --max-length 4 x.png
refuse vit-classify --json-lines x.png
refuse vit-classify --prompt-text a x.png
printf '\naccepted\n'
run() {
  model=$1
  shift
  transformer-run -m "$model" "$@" 2>&1 >result && cut -c 1-60 result
}
run gpt2 --beams 2 --seed 3 --max-new-tokens 2 'the man'
run gpt2 --task perplexity --stride 2 'the man'
run gpt2 --task feature-extraction --pool last --dimensions 2 --normalize-embeddings --precision 4 'the man'
run bert-classify --best 2 --max-length 4 'the man'
run t5 --ids 1x3xi64=3,4,5 --decoder-ids 1x2xi64=0,3 --seed 3 --beams 2 -o y.h5
run bert-classify --emit pooled --pool max --dimensions 2 --precision 4 -O csv 'the man'
echo "a limit above the positions"
transformer-run -m gpt2 --max-length 5000 --max-new-tokens 1 'the man' 2>&1 >/dev/null
