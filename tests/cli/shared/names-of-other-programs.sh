# Options of PyTorch, Keras, R, plotting programs, h5dump, ncks and jq: the error names what serves here.
refused() { # TOOL OPTION...: as a user of another program would write them
  tool=$1
  shift
  for option; do $tool "$option" x </dev/null 2>&1 || :; done
}
refused mha --zero-attn --add_zero_attn --no-bias --add-bias-kv --embed_dim --kdim --dropout --num_heads --need-weights \
  --average_attn_weights --key-padding-mask --use_causal_mask --batch_first --return_attention_scores
refused attend --attn_mask --dropout_p --is_causal --enable-gqa --score_mod --block_mask --return_lse --softmax_scale --window_size
refused nwreg --bws --span --bwmethod --ckertype --ukertype --regtype --deg --drv --x.points --n.points --gridsize --range.x \
  --txdat --iter --se --conf-level --residuals --newdata
refused nwreg --size --figsize --dpi --width --legend --title --xlabel --font-size --alpha --na.rm --cv --k --var_type
refused tplot --colormap
refused attend --temperature
refused linear --no-bias
refused ffn --use_bias
refused transformer-train --fp16 --num_labels
refused tplot --figsize --dpi --xlim --vmin --logy --xlab --main --savefig --geom_point
refused tconv -H --header-only --dataset --variable --stride --dump --raw-output --compact-output --deflate --astype
