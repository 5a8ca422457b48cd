# CLIP's vectors of lines of text, in a file too, are those of their ids; in a folder of sentence-transformers, old or new,
# they are not scaled, unless a module does.
cp -R "$CONFORMANCE/models/clip" clip
last=39  # the largest id, where this model reads its vector
words=$(seq -s ', ' 0 $((last - 1)) | sed 's/[0-9][0-9]*/"w&": &/g')
echo '{"version": "1.0", "pre_tokenizer": {"type": "WhitespaceSplit"}, "post_processor": {"type": "TemplateProcessing",
  "single": [{"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "</s>", "type_id": 0}}],
  "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 0}}],
  "special_tokens": {"</s>": {"id": "</s>", "ids": ['$last'], "tokens": ["</s>"]}}},
  "model": {"type": "WordLevel", "unk_token": "w0", "vocab": {'"$words"', "</s>": '$last'}}}' >clip/tokenizer.json
transformer-run -m clip 'w3 w1' 'w2' -o lines.h5
transformer-run -m clip --ids 1x3xi64=3,1,$last -o pair.h5
transformer-run -m clip --ids 1x2xi64=2,$last -o one.h5
tconv pair.h5 one.h5 --concat 0 | tdiff - lines.h5 --rtol 0 --atol 1e-6
transformer-run -m clip --dimensions 3 'w3 w1' 'w2' | tr '\t' , >short
awk -F , '{ print (($1^2 + $2^2 + $3^2 - 1)^2 < 1e-10) }' short

mkdir -p old new
cp -R clip old/0_CLIPModel
cp -R clip/. new
echo '[{"idx": 0, "name": "0", "path": "0_CLIPModel", "type": "sentence_transformers.models.CLIPModel"}]' >old/modules.json
echo '[{"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.base.modules.transformer.Transformer"}]' >new/modules.json
echo '{"transformer_task": "feature-extraction", "modality_config": {"text": {"method": "get_text_features",
  "method_output_name": "pooler_output"}, "image": {"method": "get_image_features", "method_output_name": "pooler_output"}},
  "module_output_name": "sentence_embedding"}' >new/sentence_bert_config.json
for folder in old new; do
  transformer-run -m $folder --normalize 'w3 w1' 'w2' -f -o scaled.h5
  tdiff scaled.h5 lines.h5 --rtol 0 --atol 1e-6
  transformer-run -m $folder 'w3 w1' 'w2' -f -o $folder.h5
  tdiff $folder.h5 lines.h5 --atol 1e-3 >/dev/null && echo "$folder: scaled"
done
tdiff old.h5 new.h5 --strict
