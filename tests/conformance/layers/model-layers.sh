# One layer of each family of models (BERT, GPT-2, T5, BART, XLNet, Llama, ViT) is a pipeline of the same stages: their
# hidden states within 1e-12 of the scale. model-layers.h5 is cut out of random models by make-model-layers.py.
F=$TESTDIR/model-layers.h5
same() { tdiff "$1" "$2" --rtol 1e-12 --atol 1e-11 || echo "$3 differs"; }

w=$F:/bert/weights
mha --keep-input $F:/bert/x -w $w/attention --heads 4 --padding-mask $F:/bert/attention_mask |
  addnorm -w $w/attention.output.LayerNorm --eps 1e-12 |
  ffn --keep-input -w $w --activation gelu | addnorm -w $w/output.LayerNorm --eps 1e-12 -o bert.h5
same bert.h5 $F:/bert/y BERT

w=$F:/gpt2/weights
addnorm --no-residual --norm-first $F:/gpt2/x -w $w/ln_1 |
  mha --keep x -w $w/attn --heads 4 --causal --padding-mask $F:/gpt2/attention_mask |
  addnorm --norm-first -w $w/ln_2 | ffn --keep x -w $w/mlp --activation gelu-tanh | addnorm --no-norm -o gpt2.h5
same gpt2.h5 $F:/gpt2/y GPT-2

for t5 in t5 t5-gated; do
  w=$F:/$t5/weights
  activation=relu
  [ $t5 = t5 ] || activation=gelu-tanh
  addnorm --no-residual --norm-first $F:/$t5/x -w $w/0.layer_norm --kind rms --eps 1e-6 |
    mha --keep x -w $w/0.SelfAttention --heads 4 --scale 1 --padding-mask $F:/$t5/attention_mask \
      --t5-bias $w/0.SelfAttention.relative_attention_bias.weight --t5-max-distance 20 |
    addnorm --norm-first -w $w/1.layer_norm --kind rms --eps 1e-6 |
    ffn --keep x -w $w/1.DenseReluDense --activation $activation | addnorm --no-norm -o $t5.h5
  same $t5.h5 $F:/$t5/y $t5
done

w=$F:/bart/weights
mha --keep-input $F:/bart/x -w $w/self_attn --heads 4 --padding-mask $F:/bart/attention_mask |
  addnorm -w $w/self_attn_layer_norm | ffn --keep-input -w $w --activation gelu |
  addnorm -w $w/final_layer_norm -o bart.h5
same bart.h5 $F:/bart/y BART

# In XLNet a padded position attends to itself, so only the rows that are attended to are the same: sequence 0 is whole.
w=$F:/xlnet/weights
mha --keep-input $F:/xlnet/x -w $w/rel_attn --heads 4 --padding-mask $F:/xlnet/attention_mask \
  --segments $F:/xlnet/token_type_ids | addnorm -w $w/rel_attn.layer_norm --eps 1e-12 |
  ffn --keep-input -w $w/ff --activation gelu | addnorm -w $w/ff.layer_norm --eps 1e-12 -o xlnet.h5
same xlnet.h5:/y[0] $F:/xlnet/y[0] XLNet
same xlnet.h5:/y[1,2:] $F:/xlnet/y[1,2:] XLNet
same xlnet.h5:/y[2,4:] $F:/xlnet/y[2,4:] XLNet

w=$F:/llama/weights
addnorm --no-residual --norm-first $F:/llama/x -w $w/input_layernorm --kind rms --eps 1e-6 |
  mha --keep x -w $w/self_attn --heads 4 --kv-heads 2 --rotary --causal --padding-mask $F:/llama/attention_mask |
  addnorm --norm-first -w $w/post_attention_layernorm --kind rms --eps 1e-6 |
  ffn --keep x -w $w/mlp --activation silu | addnorm --no-norm -o llama.h5
same llama.h5 $F:/llama/y Llama

w=$F:/vit-classify/weights
addnorm --no-residual --norm-first $F:/vit-classify/x -w $w/layernorm_before --eps 1e-12 |
  mha --keep x -w $w/attention --heads 4 | addnorm --norm-first -w $w/layernorm_after --eps 1e-12 |
  ffn --keep x -w $w --activation gelu | addnorm --no-norm -o vit.h5
same vit.h5 $F:/vit-classify/y ViT
