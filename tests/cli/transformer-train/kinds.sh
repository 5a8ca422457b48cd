# Language models, masked and not, T5, and classifiers of texts, words and pictures learn. A run that goes on, with other
# threads, has the bits of one that was not stopped.
. "$TESTDIR/shared.shlib"
small_model
mkdir causal masked answers classes words pictures
cp start/tokenizer.json causal
sed 's/"content": *"<unk>"/"content":"<mask>"/; s/"<unk>"/"<mask>"/g' start/tokenizer.json >masked/tokenizer.json
cp start/tokenizer.json answers
cp start/tokenizer.json classes
cp start/tokenizer.json words
cat >causal/config.json <<EOF
{"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "vocab_size": 51, "n_positions": 64, "n_embd": 16, "n_layer": 1,
 "n_head": 2, "activation_function": "gelu_new", "layer_norm_epsilon": 1e-5, "eos_token_id": 2, "bos_token_id": 1}
EOF
cat >answers/config.json <<EOF
{"model_type": "t5", "architectures": ["T5ForConditionalGeneration"], "vocab_size": 51, "d_model": 16, "d_kv": 8, "d_ff": 32,
 "num_layers": 1, "num_heads": 2, "eos_token_id": 2}
EOF
cat >pictures/config.json <<EOF
{"model_type": "vit", "architectures": ["ViTForImageClassification"], "image_size": 8, "patch_size": 4, "num_channels": 1,
 "hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32,
 "id2label": {"0": "0", "1": "1", "2": "2", "3": "3", "4": "4", "5": "5", "6": "6", "7": "7", "8": "8", "9": "9"}}
EOF
bert() {
  printf '{"model_type": "bert", "architectures": ["%s"], "vocab_size": 51, "hidden_size": 16, "num_hidden_layers": 1,
    "num_attention_heads": 2, "intermediate_size": 32, "hidden_act": "gelu", "max_position_embeddings": 64,
    "type_vocab_size": 2, "layer_norm_eps": 1e-12, "pad_token_id": 0%s}\n' "$1" "$2"
}
bert BertForMaskedLM "" >masked/config.json
bert BertForSequenceClassification ', "id2label": {"0": "letters", "1": "figures"}' >classes/config.json
bert BertForTokenClassification ', "id2label": {"0": "name", "1": "number"}' >words/config.json
cut -f 1 data.tsv >texts
awk -F '\t' '{ print $1 "\t" ($1 ~ /[a-z]/ ? "letters" : "figures") }' lines >labels.tsv
awk -F '\t' '{
  labels = ""
  for (i = 1; i <= split($1, word, / +/); i++) labels = labels " " (word[i] ~ /[0-9]/ ? "number" : 0)
  print $1 "\t" substr(labels, 2)
}' lines >words.tsv
for name in pictures labels; do
  tconv "$EXAMPLES/digits.h5:/$name[:64]" -A -o few.h5:/$name
done
train() { transformer-train -m "$1" --init --data "$2" --valid "$2" --batch 10 --lr 1e-2 --after "$3e" -o "$1-trained" --quiet -t 1; }
train causal texts 15
train masked texts 40
train answers data.tsv 15
train classes labels.tsv 15
train words words.tsv 15
train pictures few.h5 25
for kind in causal masked answers classes words pictures; do
  awk -F , -v kind=$kind 'NR == 2 { first = $4 } END { print kind, ($4 < 0.9 * first) }' $kind-trained/log.csv
done
# All random weights of a T5 have the factor of its config.json.
mkdir doubled
sed 's/"d_kv"/"initializer_factor": 2, &/' answers/config.json >doubled/config.json
cp start/tokenizer.json doubled
for kind in answers doubled; do
  transformer-train -m $kind --init --data data.tsv --lr 0 --after 1u --quiet -o $kind-random
done
for name in shared encoder.final_layer_norm decoder.block.0.layer.1.EncDecAttention.q; do
  for kind in answers doubled; do
    tconv "$kind-random/model.safetensors:/$name.weight" -O csv --no-header | cut -d , -f 1 >$kind.csv
  done
  paste answers.csv doubled.csv | awk '{ wrong += ($2 / $1 - 2) ^ 2 > 1e-10 } END { print wrong + 0 }'
done

# A text to continue goes on, although the tokenizer adds an end token.
transformer-run -m causal-trained "3 ma" | grep -c .
printf '16/11/1922\n7 avril 1960\n' | transformer-run -m classes-trained | cut -f 1
transformer-run -m words-trained "7 avril 1960" | cut -f 2,5,8
transformer-run -m pictures-trained --pixels few.h5:/pictures --emit logits | tconv -:/logits --slab 0:1 -O csv --no-header |
  awk -F , '{ print NF }'

for kind in masked words pictures; do
  case $kind in masked) data=texts ;; words) data=words.tsv ;; *) data=few.h5 ;; esac
  again() { transformer-train -m $kind --init --data $data --batch 16 --quiet "$@"; }
  again --after 2e -t 2 -o $kind-whole
  again --after 3u -t 1 -o $kind-stopped
  again --after 2e -t 1 -o $kind-stopped --resume
  cmp $kind-whole/model.safetensors $kind-stopped/model.safetensors
done

# What does not fit is said before the first update.
wrong() { transformer-train -m "$1" --init --data "$2" -o wrong || echo $?; }
printf '3 mars 2021\tnumber name\n' >bad.tsv
wrong words bad.tsv
printf '3 mars\tnumber month\n' >bad.tsv
wrong words bad.tsv
printf '3 mars\t2021\tnumber name\n' >bad.tsv
wrong words bad.tsv
tconv few.h5:/pictures -o many.h5:/pictures
tconv 64xi64=11 -A -o many.h5:/labels
wrong pictures many.h5
tconv few.h5:/labels -o large.h5:/labels
tconv 64x1x9x9=0 -A -o large.h5:/pictures
wrong pictures large.h5
wrong pictures words.tsv
