# Under names of the user's own, the fields of config.json are found in DistilBERT's words, and in CLIP's sections by the
# words text and vision in the prefix.
L=$FIXTURES/layers/layers.h5
mha $L:/x -w $L:/self_attn --heads 4 -o y.h5
mkdir distilbert clip
echo '{"n_heads": 4}' >distilbert/config.json
echo '{"text_config": {"num_attention_heads": 2}, "vision_config": {"num_attention_heads": 4, "hidden_act": "gelu"}}' >clip/config.json
tconv $L -o distilbert/w.h5
mha $L:/x -w distilbert/w.h5:/self_attn | tdiff - y.h5 --strict
for part in self_attn/in_proj_weight self_attn/in_proj_bias self_attn/out_proj.weight self_attn/out_proj.bias \
  ffn/linear1.weight ffn/linear1.bias ffn/linear2.weight ffn/linear2.bias; do
  tconv $L:/$part -A -o clip/w.h5:/my_vision/$part
done
mha $L:/x -w clip/w.h5:/my_vision/self_attn | tdiff - y.h5 --strict
ffn $L:/x -w $L:/ffn --activation gelu -o f.h5
ffn $L:/x -w clip/w.h5:/my_vision/ffn | tdiff - f.h5 --strict
cp distilbert/w.h5 clip/both.h5
mha $L:/x -w clip/both.h5:/self_attn 2>&1 || echo $?
# The whole has the fields of texts, as in Qwen2-VL; and language is a word for texts.
echo '{"num_attention_heads": 4, "vision_config": {"num_attention_heads": 2}}' >clip/config.json
mha $L:/x -w clip/both.h5:/self_attn | tdiff - y.h5 --strict
echo '{"text_config": {"num_attention_heads": 4}, "vision_config": {"num_attention_heads": 2}}' >clip/config.json
for part in in_proj_weight in_proj_bias out_proj.weight out_proj.bias; do
  tconv $L:/self_attn/$part -A -o clip/w.h5:/language_model/self_attn/$part
done
mha $L:/x -w clip/w.h5:/language_model/self_attn | tdiff - y.h5 --strict
