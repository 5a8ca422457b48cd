# A tokenizer may have tokens for which the model has no row, as those of pictures beside a model that reads text: a text
# without them is read, one with them is a bad line. Its prompts, tasks, scores and trainings are of the same mind.
. "$SUPPORT/try.sh"
add() { # FOLDER TEXT ID: a token beyond the rows of the embedding
  sed 's/"added_tokens": *\[/&{"id": '"$3, \"content\": \"$2\""', "special": true}, /' "$1/tokenizer.json" >tokenizer.json
  mv tokenizer.json "$1"
}
cp -R "$EXAMPLES/dates" dates
transformer-run -m dates '3 mars 2021' 'den 5. mai 1999' >before
add dates '<image>' 60
transformer-run -m dates '3 mars 2021' 'den 5. mai 1999' | cmp - before
try transformer-run -m dates '3 mars 2021' '<image>' 'den 5. mai 1999' --on-error skip
try transformer-run -m dates '<image>' -o y.h5
# A head for tokens, a language model, vectors.
cp -R "$CONFORMANCE/models/bert-masked-lm" masked
cp "$FIXTURES/words/tokenizer.json" masked
transformer-run -m masked 'the [MASK] is here' >before
add masked '<image>' 320
transformer-run -m masked 'the [MASK] is here' | cmp - before
try transformer-run -m masked 'the [MASK] <image>'
try transformer-run -m masked --task feature-extraction --emit encoder -o y.h5 'the <image>'
try transformer-train -m masked --data before --after 1u --quiet -o trained
printf 'the man is\nthe <image>\n' >lines
try transformer-train -m masked --data lines --after 1u --quiet -o again
