# Heads that are there say how many they are: attend needs no weights then, merge no --heads.
cp $FIXTURES/layers/layers.h5 .
L=layers.h5
for w in "self_attn --heads 4" "grouped --heads 4 --kv-heads 2"; do
  mha --stage project $L:/x -w $L:/$w -f -o qkv.h5
  mha $L:/x -w $L:/$w --causal --padding-mask $L:/padding_mask --emit weights -f -o whole.h5
  mha --stage attend qkv.h5 --causal --padding-mask $L:/padding_mask --emit weights -f -o heads.h5
  tdiff whole.h5:/weights heads.h5:/weights
  case $w in grouped*) kv="--kv-heads 2" ;; *) kv= ;; esac
  mha --stage merge heads.h5 -w $L:/${w%% *} $kv | tdiff - whole.h5:/y
done
mha --stage attend qkv.h5 --zero-attention -o zero.h5
mha --stage attend qkv.h5 --zero-attention -w $L:/grouped | tdiff - zero.h5
mha --stage project qkv.h5 2>&1 || echo "exit $?"
mha --stage attend $L:/x[0] 2>&1 || echo "exit $?"
mha --stage attend -q qkv.h5:/q -k qkv.h5:/q[:,:3] -v qkv.h5:/q[:,:3] 2>&1 || echo "exit $?"
