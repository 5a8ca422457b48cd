# ALiBi's and T5's tables are the biases of attention; keys, offset, slopes, distance and direction count.
L=$FIXTURES/layers/layers.h5
mha --stage project $L:/x -w $L:/self_attn --heads 4 -o p.h5
posenc --kind alibi --heads 4 --length 6 | tconv --reshape 1,4,6,6 -o bias.h5
attend p.h5 --alibi -o a.h5
attend p.h5 --bias bias.h5 -o b.h5
tdiff a.h5 b.h5 --atol 1e-14
posenc --kind alibi --alibi-slopes $L:/slopes --length 6 | tconv --reshape 1,4,6,6 -f -o bias.h5
attend p.h5 --alibi-slopes $L:/slopes -f -o a.h5
attend p.h5 --bias bias.h5 -f -o b.h5
tdiff a.h5 b.h5 --atol 1e-14
posenc --kind t5 -w $L:/buckets --length 6 -o whole.h5
posenc --kind t5 -w $L:/buckets --length 2 --offset 4 | tdiff - whole.h5:/y[:,4:]
posenc --kind t5 -w $L:/buckets --length 6 --keys 3 | tdiff - whole.h5:/y[:,:,:3]
for option in --t5-causal '--t5-max-distance 4'; do
  if posenc --kind t5 -w $L:/buckets --length 6 $option | tdiff - whole.h5 >/dev/null; then echo "$option is ignored"; fi
done
posenc --kind alibi --alibi-slopes 1=0.5 --length 2 --keys 3 --offset 1 -O csv
