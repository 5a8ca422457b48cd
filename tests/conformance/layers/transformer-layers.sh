# nn.TransformerEncoderLayer and nn.TransformerDecoderLayer of PyTorch as pipelines of stages and as state dicts of
# transformer-run, every case in double.
# pytorch-layers.h5: computed with PyTorch 2.9.1 in f64 from random inputs, for this project; its masks are true where a
# key takes no part.
fixture=$TESTDIR/pytorch-layers.h5
failed=0
for stack in encoder decoder; do
  for activation in relu gelu; do
    for order in post pre; do
      case=$stack-$activation-$order-norm
      w=$fixture:/$case/weights in=$fixture:/$case/in
      attend_self() {
        if [ $stack = decoder ]; then
          mha -w "$w/self_attn" --heads 4 --causal "$@"
        else
          mha -w "$w/self_attn" --heads 4 --padding-mask "$in/key_padding_mask" --mask-invert "$@"
        fi
      }
      attend_memory() {
        mha -w "$w/multihead_attn" --heads 4 --memory "$in/memory" --padding-mask "$in/memory_key_padding_mask" \
          --mask-invert "$@"
      }
      feed_forward() { ffn -w "$w" --activation $activation "$@"; }
      if [ $order = post ]; then
        attend_self --keep-input "$in/x" | addnorm -w "$w/norm1" >y.h5
        last=norm2
        if [ $stack = decoder ]; then
          attend_memory --keep-input y.h5 | addnorm -w "$w/norm2" >z.h5
          mv z.h5 y.h5
          last=norm3
        fi
        feed_forward --keep-input y.h5 | addnorm -w "$w/$last" >out.h5
      else
        addnorm --no-residual --norm-first "$in/x" -w "$w/norm1" | attend_self --keep x >y.h5
        last=norm2
        if [ $stack = decoder ]; then
          addnorm --norm-first y.h5 -w "$w/norm2" | attend_memory --keep x >z.h5
          mv z.h5 y.h5
          last=norm3
        fi
        addnorm --norm-first y.h5 -w "$w/$last" | feed_forward --keep x | addnorm --no-norm >out.h5
      fi
      tdiff out.h5 "$fixture:/$case/out/output" --atol 1e-12 --rtol 1e-12 || { echo "$case differs" && failed=1; }
      set -- --encoder "$w" --heads 4 --activation $activation --mask-invert "$in/x"
      [ $order = post ] || set -- "$@" --pre-norm
      if [ $stack = decoder ]; then
        set -- "$@" "$in/memory" --causal --memory-key-padding-mask "$in/memory_key_padding_mask"
      else
        set -- "$@" --src-key-padding-mask "$in/key_padding_mask"
      fi
      transformer-run "$@" --check "$fixture:/$case/out/output" --atol 1e-12 --rtol 1e-12 -f -o whole.h5 || failed=1
    done
  done
done
exit $failed
