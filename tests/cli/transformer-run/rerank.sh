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
