# Input in f32 with weights in f64: --dtype f64 for project and the type of the input for merge give the bits of the whole.
tconv $FIXTURES/layers/layers.h5 --dtype f64 -o layers.h5
tconv layers.h5:/x --dtype f32 -o x.h5
w="-w layers.h5:/self_attn --heads 4"
mha x.h5 $w -o whole.h5
for stage in attend "mha --stage attend"; do
  mha --stage project x.h5 $w --dtype f64 | $stage | mha --stage merge $w --dtype f32 | tdiff - whole.h5 --strict
done
if mha --stage project x.h5 $w | attend | mha --stage merge $w | tdiff - whole.h5 >/dev/null
then echo "q, k and v are not rounded"; fi
