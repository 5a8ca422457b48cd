# Language models, masked and not, and classifiers learn from lines too.
. "$TESTDIR/shared.shlib"
small_model
mkdir causal masked classes
cp start/tokenizer.json causal
sed 's/"content": *"<unk>"/"content":"<mask>"/; s/"<unk>"/"<mask>"/g' start/tokenizer.json >masked/tokenizer.json
cp start/tokenizer.json classes
cat >causal/config.json <<EOF
{"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "vocab_size": 51, "n_positions": 64, "n_embd": 16, "n_layer": 1,
 "n_head": 2, "activation_function": "gelu_new", "layer_norm_epsilon": 1e-5, "eos_token_id": 2, "bos_token_id": 1}
EOF
bert() {
  printf '{"model_type": "bert", "architectures": ["%s"], "vocab_size": 51, "hidden_size": 16, "num_hidden_layers": 1,
    "num_attention_heads": 2, "intermediate_size": 32, "hidden_act": "gelu", "max_position_embeddings": 64,
    "type_vocab_size": 2, "layer_norm_eps": 1e-12, "pad_token_id": 0%s}\n' "$1" "$2"
}
bert BertForMaskedLM "" >masked/config.json
bert BertForSequenceClassification ', "id2label": {"0": "letters", "1": "figures"}' >classes/config.json
cut -f 1 data.tsv >texts
awk -F '\t' '{ print $1 "\t" ($1 ~ /[a-z]/ ? "letters" : "figures") }' lines >labels.tsv
train() { transformer-train -m "$1" --init --data "$2" --valid "$2" --batch 10 --lr 1e-2 --after "$3e" -o "$1-trained" --quiet; }
train causal texts 15
train masked texts 40
train classes labels.tsv 15
for kind in causal masked classes; do
  awk -F , -v kind=$kind 'NR == 2 { first = $4 } END { print kind, ($4 < 0.9 * first) }' $kind-trained/log.csv
done
printf '16/11/1922\n7 avril 1960\n' | transformer-run -m classes-trained | cut -f 1
