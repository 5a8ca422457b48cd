# A line that is not what the task learns from is refused, with its number, before the first update.
. "$TESTDIR/shared.shlib"
small_model
mkdir causal classes words
for kind in causal classes words; do cp start/tokenizer.json $kind; done
cat >causal/config.json <<END
{"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "vocab_size": 51, "n_positions": 64, "n_embd": 16, "n_layer": 1,
 "n_head": 2, "activation_function": "gelu_new", "layer_norm_epsilon": 1e-5}
END
bert() {
  printf '{"model_type": "bert", "architectures": ["%s"], "vocab_size": 51, "hidden_size": 16, "num_hidden_layers": 1,
    "num_attention_heads": 2, "intermediate_size": 32, "hidden_act": "gelu", "max_position_embeddings": 64,
    "type_vocab_size": 2, "layer_norm_eps": 1e-12, "pad_token_id": 0, "id2label": {"0": "name", "1": "number"}}\n' "$1"
}
bert BertForSequenceClassification >classes/config.json
bert BertForTokenClassification >words/config.json
refused() {
  printf "$2" >bad.tsv
  transformer-train -m "$1" --init --data bad.tsv --after 1u -o out 2>&1 || echo "$? of $1"
}
refused start '3 mars\t3 mai\t3 juin\n'
refused classes '3 mars\tmonth\n'
refused classes '3 mars\t2\n'
refused classes '3 mars\t-1\n'
refused classes '3 mars\t1x\n'
refused classes '3 mars\t3 mai\t3 juin\t1\n'
refused classes '3 mars\n'
refused words '3 mars\n'
refused words '\tname\n'
refused words '3 mars\tnumber\n'
refused words '3 mars\tnumber month\n'
refused words '3\tmars\tnumber\n'
refused causal '\n3 mars\n'
cp -r words plain && bert BertModel >plain/config.json
refused plain '3 mars\tname\n'
[ ! -e out ]
# A pair of texts, and labels by number, are lines as well.
printf '3 mars\t3 mai\tname\n7 mai\t1\n' >good.tsv
transformer-train -m classes --init --data good.tsv --after 1u -o out --quiet
