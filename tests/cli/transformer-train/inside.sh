# A folder of sentence-transformers of old times has its model in a folder inside: it is trained there, and the result is
# a folder of the same form.
mkdir -p old/0_Transformer old/1_Pooling
cp "$CONFORMANCE/models/bert-masked-lm/"* old/0_Transformer
cp "$FIXTURES/words/tokenizer.json" old/0_Transformer
cat >old/modules.json <<'END'
[{"idx": 0, "name": "0", "path": "0_Transformer", "type": "sentence_transformers.models.Transformer"},
 {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"}]
END
echo '{"word_embedding_dimension": 16, "pooling_mode_mean_tokens": true}' >old/1_Pooling/config.json
printf 'the man is here\nwho went there\n' >texts
transformer-train -m old --data texts --after 2u --quiet -o inside
transformer-train -m old/0_Transformer --data texts --after 2u --quiet -o alone
find inside -type f | LC_ALL=C sort
tdiff inside/0_Transformer/model.safetensors alone/model.safetensors && echo "the same weights"
transformer-run -m inside --precision 3 'the man' | awk '{ print NF }'
transformer-train -m old --data texts --after 2u --resume -o inside 2>&1
