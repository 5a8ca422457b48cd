# XLNet with text: it goes on with words as with their ids alone, and looks for answers in the second text.
models=$CONFORMANCE/models
cp -R "$models/xlnet" m
cp "$FIXTURES/words/tokenizer.json" m
ids=$(echo "the man is here" | tokenize -m m --no-special | tr -s ' \t' ,)
goes_on() { transformer-run -m m --task text-generation --max-new-tokens 5 --ignore-end "$@"; }
goes_on -O csv "the man is here" >text
goes_on -O csv --ids "1x4xi64=$ids" --attention-mask 1x4=1,1,1,1 | cmp text -  # 5, "the", is this model's padding
transformer-run -m m --task text-generation --ids "1x4xi64=$ids" --max-new-tokens 2 --emit logits -o y.h5 2>&1 || echo $?
# That is said before anything is computed, which would find the id that is none.
transformer-run -m m --task text-generation --ids 1x2xi64=1,9999 --max-new-tokens 2 --emit logits -o y.h5 2>&1 || echo $?
transformer-run -m m --task perplexity "the man" 2>&1 || echo $?
# Words a b c ... are the ids 0 1 2 ...; the answers are transformers' for a p_mask that leaves the second text.
cp -R "$models/heads/xlnet-search" search
words=$(awk 'BEGIN { for (i = 0; i < 24; ++i) printf "%s\"%c\": %d", i ? ", " : "", 97 + i, i }')
cat >search/tokenizer.json <<JSON
{"version": "1.0", "added_tokens": [], "normalizer": null, "pre_tokenizer": {"type": "Whitespace"}, "decoder": null,
 "model": {"type": "WordLevel", "vocab": {$words}, "unk_token": "a"},
 "post_processor": {"type": "TemplateProcessing", "single": [{"Sequence": {"id": "A", "type_id": 0}}],
  "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "b", "type_id": 0}},
           {"Sequence": {"id": "B", "type_id": 1}}, {"SpecialToken": {"id": "b", "type_id": 1}}],
  "special_tokens": {"b": {"id": "b", "ids": [1], "tokens": ["b"]}}}}
JSON
printf 'h i j\tk l m n o p q\nr\ts t\n' | transformer-run -m search --best 3 --dtype f64 --precision 6
# A trace holds where answers may lie, so that they are found again; beside a longer line a line gets what it gets alone.
long='h i j	k l m n o p q' short='r	s t'
transformer-run -m search --trace both.h5 "$long" "$short" >both
tail -n 1 both >last
transformer-run -m search --trace one.h5 "$short" | diff - last
tdiff both.h5:/cls_logits[1:2] one.h5:/cls_logits --rtol 0 --atol 0
tdiff both.h5:/answers[1:2] one.h5:/answers --rtol 0 --atol 0
transformer-run -m search --from logits --replay both.h5 -o again.h5
tdiff again.h5:/y both.h5:/answers --rtol 0 --atol 0
# Of ids nothing says where the answer lies, and it is no padding.
transformer-run -m search --ids 1x4xi64=6,7,8,9 -o alone.h5
transformer-run -m search --ids 2x7xi64=6,7,8,9,5,5,5,6,7,8,9,10,11,12 --attention-mask 2x7=1,1,1,1,0,0,0,1,1,1,1,1,1,1 -o padded.h5
tdiff padded.h5:/y[0:1] alone.h5:/y --rtol 0 --atol 0
# What is planned is what is written; a decoder that remembers states has no cache of keys and values.
transformer-run -m search --ids 2x7xi64=6,7,8,9,5,5,5,6,7,8,9,10,11,12 -n -o planned.h5 | grep write
tconv --list padded.h5 | grep '^y'
transformer-run -m m --task text-generation --list | tail -2
