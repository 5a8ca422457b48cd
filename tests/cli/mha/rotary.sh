# Rotary options turn the heads of queries and keys as posenc does.
L=$FIXTURES/layers/layers.h5
mha $L:/x -w $L:/self_attn --heads 4 -o plain.h5
mha --stage project $L:/x -w $L:/self_attn --heads 4 -o p.h5
for options in '' '--base 2' --rotary-interleaved "--positions $L:/positions"; do
  mha $L:/x -w $L:/self_attn --heads 4 --rotary $options -f -o whole.h5
  posenc --kind rotary $options p.h5:/q -f -o q.h5
  posenc --kind rotary $options p.h5:/k -f -o k.h5
  attend -q q.h5 -k k.h5 -v p.h5:/v | mha --stage merge -w $L:/self_attn --heads 4 -f -o stages.h5
  tdiff whole.h5 stages.h5 || echo "differs: $options"
  if tdiff whole.h5 plain.h5 >/dev/null; then echo "changes nothing: $options"; fi
done
mha $L:/x -w $L:/self_attn --heads 2 --rotary --rotary-width 2 -o a.h5
mha $L:/x -w $L:/self_attn --heads 2 --rotary -o b.h5
mha --stage project $L:/x -w $L:/self_attn --heads 2 -o p.h5 -f
posenc --kind rotary --rotary-width 2 p.h5:/q -f -o q.h5
posenc --kind rotary --rotary-width 2 p.h5:/k -f -o k.h5
attend -q q.h5 -k k.h5 -v p.h5:/v | mha --stage merge -w $L:/self_attn --heads 2 -f -o stages.h5
tdiff a.h5 stages.h5
if tdiff a.h5 b.h5 >/dev/null; then echo "--rotary-width is ignored"; fi
