# Rotary options turn the heads of queries and keys as posenc does.
L=$FIXTURES/layers/layers.h5
mha $L:/x -w $L:/self_attn --heads 4 -o plain.h5
mha --stage project $L:/x -w $L:/self_attn --heads 4 -o p.h5
while read -r ours theirs; do
  [ "$ours" = - ] && ours=
  ours=$(echo "$ours" | tr , ' ')
  mha $L:/x -w $L:/self_attn --heads 4 --rotary $ours -f -o whole.h5
  posenc --kind rotary $theirs p.h5:/q -f -o q.h5
  posenc --kind rotary $theirs p.h5:/k -f -o k.h5
  attend -q q.h5 -k k.h5 -v p.h5:/v | mha --stage merge -w $L:/self_attn --heads 4 -f -o stages.h5
  tdiff whole.h5 stages.h5 || echo "differs: $ours"
  if tdiff whole.h5 plain.h5 >/dev/null; then echo "changes nothing: $ours"; fi
done <<END
-
--rotary-base,2 --base 2
--rotary-interleaved --interleaved
--positions,$L:/positions --positions $L:/positions
END
mha $L:/x -w $L:/self_attn --heads 2 --rotary --rotary-width 2 -o a.h5
mha $L:/x -w $L:/self_attn --heads 2 --rotary -o b.h5
mha --stage project $L:/x -w $L:/self_attn --heads 2 -o p.h5 -f
posenc --kind rotary --rotary-width 2 p.h5:/q -f -o q.h5
posenc --kind rotary --rotary-width 2 p.h5:/k -f -o k.h5
attend -q q.h5 -k k.h5 -v p.h5:/v | mha --stage merge -w $L:/self_attn --heads 2 -f -o stages.h5
tdiff a.h5 stages.h5
if tdiff a.h5 b.h5 >/dev/null; then echo "--rotary-width is ignored"; fi
