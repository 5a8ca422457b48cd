#!/bin/sh
# Learns only the head of a model: examples/learn-head.sh [FOLDER [EPOCHS]].
# FOLDER/months is a model that reads dates in seven languages and names the month, learned from 3000 dates. With a new
# head, it is to name the season. 48 dates are enough, as only the head learns (classifier.weight and classifier.bias):
# FOLDER/seasons is the result, and its log.csv has the accuracy on other dates.
set -eu
here=$(dirname "$0")
out=${1-learned-head} epochs=${2-8}
mkdir -p "$out/start-months" "$out/start-seasons"

# A small BERT with a label for each name.
bert() {
  printf '{"model_type": "bert", "architectures": ["BertForSequenceClassification"], "vocab_size": 51, "hidden_size": 64,
    "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 128, "hidden_act": "gelu",
    "max_position_embeddings": 64, "type_vocab_size": 1, "layer_norm_eps": 1e-12, "pad_token_id": 0, "id2label": {'
  number=0
  for name; do
    [ $number = 0 ] || printf ', '
    printf '"%d": "%s"' $number "$name"
    number=$((number + 1))
  done
  printf '}}\n'
}
bert January February March April May June July August September October November December >"$out/start-months/config.json"
bert winter spring summer autumn >"$out/start-seasons/config.json"
cp "$here/dates/tokenizer.json" "$out/start-months"

# Dates with their months, and others with their seasons.
LC_ALL=C awk -v out="$out" '
function random(n) { state = state * 16807 % 2147483647; return state % n }  # Park and Miller 1988
BEGIN {
  split("%d %s %d|%d %s %d|%d. %s %d|%d de %s de %d|%d %s %d|%d %s %d|%d de %s de %d", form, "|")
  months[1] = "January February March April May June July August September October November December"
  months[2] = "janvier février mars avril mai juin juillet août septembre octobre novembre décembre"
  months[3] = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"
  months[4] = "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"
  months[5] = "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"
  months[6] = "januari februari maart april mei juni juli augustus september oktober november december"
  months[7] = "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"
  split(months[1], english, " ")
  split("winter winter spring spring spring summer summer summer autumn autumn autumn winter", season, " ")
  state = 4711
  for (i = 0; i < 3248; i++) {
    language = 1 + random(7)
    month = i % 12 + 1
    split(months[language], name, " ")
    text = sprintf(form[language], 1 + random(28), name[month], 1900 + random(200))
    if (i < 3000)
      print text "\t" english[month] > (out "/months.tsv")
    else
      print text "\t" season[month] > (out (i < 3048 ? "/seasons.tsv" : "/others.tsv"))
  }
}'

transformer-train -m "$out/start-months" --init --data "$out/months.tsv" --after "${epochs}e" --batch 50 --lr 2e-3 \
  --schedule cosine --warmup 20 --clip-norm 1 -o "$out/months" --resume

# The weights of that model, but a head with four labels instead of twelve.
cp "$out/months/model.safetensors" "$out/months/tokenizer.json" "$out/start-seasons"
transformer-train -m "$out/start-seasons" --init --train 'classifier.*' --data "$out/seasons.tsv" --valid "$out/others.tsv" \
  --after 20e --batch 12 --lr 2e-2 -o "$out/seasons" --resume
transformer-run -m "$out/seasons" "3 mars 2021" "24. Dezember 1818" "14 luglio 1789"
