# A text longer than the model, or than --max-length, is cut, with a note: the bits are those of training on the text
# that was cut by hand. Here a token is a character, and the end token takes the last place.
. "$TESTDIR/shared.shlib"
small_model
mkdir classes words
cp start/tokenizer.json classes
cp start/tokenizer.json words
bert() {
  printf '{"model_type": "bert", "architectures": ["%s"], "vocab_size": 51, "hidden_size": 16, "num_hidden_layers": 1,
    "num_attention_heads": 2, "intermediate_size": 32, "hidden_act": "gelu", "max_position_embeddings": 24,
    "type_vocab_size": 2, "layer_norm_eps": 1e-12, "pad_token_id": 0, "id2label": {"0": "name", "1": "number"}}\n' "$1"
}
bert BertForSequenceClassification >classes/config.json
bert BertForTokenClassification >words/config.json
printf '3 mars 2021\tname\n0123456789 januari 2001 and more\tnumber\n' >classes.tsv
printf '3 mars 2021\tname\n0123456789 januari 2001\tnumber\n' >classes-cut.tsv
printf '3 mars\tnumber name\n0123456789 januari 2001 and more\tnumber name number name name\n' >words.tsv
printf '3 mars\tnumber name\n0123456789 januari 2001\tnumber name number\n' >words-cut.tsv
printf '3 mars 2021\t2021-03-03\n0123456789\t01234567899\n' >start.tsv
printf '3 mars 2\t2021-03-\n01234567\t01234567\n' >start-cut.tsv
train() { # MODEL DATA OPTION...
  model=$1 data=$2
  shift 2
  transformer-train -m "$model" --init --data "$data" --after 2u --batch 2 -o "${data%.tsv}-trained" "$@"
}
same() { tdiff "$1-trained/model.safetensors" "$2-trained/model.safetensors" --atol 0 --quiet && echo "$1: the same"; }
for kind in classes words; do
  train $kind $kind.tsv 2>&1 | grep cut
  train $kind $kind-cut.tsv --quiet
  same $kind $kind-cut
done
train start start.tsv --max-length 9 2>&1 | grep cut || echo 'no note: it was asked for'
train start start-cut.tsv --quiet
same start start-cut
transformer-train -m classes --init --data classes.tsv --max-length 0 -o none 2>&1 || echo $?
