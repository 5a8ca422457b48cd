# A sequence has the same bits alone, in a batch, on one thread and on three; single precision in, single out.
L=$FIXTURES/layers/layers.h5
tconv $L:/x --dtype f32 -o x.h5
tconv $L:/self_attn --dtype f32 -o w.h5
mha x.h5 -w w.h5:/self_attn --heads 4 -t 3 -o batch.h5
for i in 0 1; do
  mha x.h5:/x[$i:$((i + 1))] -w w.h5:/self_attn --heads 4 -t 1 -f -o alone.h5
  tdiff alone.h5 batch.h5:/y[$i:$((i + 1))]
done
mha x.h5:/x[1] -w w.h5:/self_attn --heads 4 -o plain.h5
tdiff plain.h5 batch.h5:/y[1]
tconv --list batch.h5 | grep -v history | grep "^y"
