# A reranker reads pairs and prints their scores: a sigmoid, or with Identity the logits of the same ids.
cp -R "$CONFORMANCE/models/families/bert-rerank" m
printf '%s\n' '[CLS]' '[PAD]' '[SEP]' '[UNK]' '[MASK]' '.' the man went here there to a >m/vocab.txt
printf 'the man went\tto here\nthe man\tthere .\n' >pairs
transformer-run -m m --dtype f64 <pairs >scores
tokenize -m m --pair -o ids.h5 <pairs
transformer-run -m m --dtype f64 --ids ids.h5:/ids --attention-mask ids.h5:/mask --type-ids ids.h5:/type_ids -O csv --no-header >logits
awk '{ printf "%.12f\n", 1 / (1 + exp(-$1)) }' logits | tdiff - scores --delim ' ' --rtol 0 --atol 1e-11
sed '2s/{*/"sbert_ce_default_activation_function": "torch.nn.modules.linear.Identity",/' m/config.json >config.json
cp config.json m && transformer-run -m m --dtype f64 <pairs | tdiff - logits --rtol 0 --atol 1e-12
transformer-run -m m --precision 3 <pairs
transformer-run -m m --json <pairs | cut -c 1-31
# A folder that sentence-transformers writes has the function, and prompts that are null, in a file of its own.
cp "$CONFORMANCE/models/families/bert-rerank/config.json" m
echo '[{"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.base.modules.transformer.Transformer"}]' >m/modules.json
echo '{"transformer_task": "sequence-classification", "modality_config": {"text": {"method": "forward",
  "method_output_name": "logits"}}, "module_output_name": "scores"}' >m/sentence_bert_config.json
encoder() { # FUNCTION [FIELDS]
  echo '{"model_type": "CrossEncoder", "prompts": {"query": "the ", "document": null}, "activation_fn": "torch.nn.modules.'"$1\"${2-}}" \
    >m/config_sentence_transformers.json
}
encoder activation.Sigmoid
transformer-run -m m --dtype f64 <pairs | cmp - scores
encoder linear.Identity
transformer-run -m m --dtype f64 <pairs | tdiff - logits --rtol 0 --atol 1e-12
encoder activation.Tanh
transformer-run -m m <pairs 2>&1 || echo $?
# The prompt is before the first of two texts; no more tokens are read than the folder says.
encoder linear.Identity ', "default_prompt_name": "query"'
transformer-run -m m --dtype f64 <pairs >prompted
sed 's/^/the /' pairs | transformer-run -m m --dtype f64 --prompt document | cmp - prompted
transformer-run -m m --dtype f64 --prompt-text 'the ' <pairs | cmp - prompted
echo '{"model_max_length": 8}' >m/tokenizer_config.json
transformer-run -m m --dtype f64 --prompt-text '' <pairs >short
transformer-run -m m --dtype f64 --prompt document --max-length 8 <pairs | cmp - short
