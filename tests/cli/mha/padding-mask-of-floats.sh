# A padding mask of floats is added to the scores.
cp "$FIXTURES/layers/layers.h5" .
pad() { mha layers.h5:/x[1:] -w layers.h5:/self_attn --heads 4 "$@"; }
pad --padding-mask 1x6=0,0,0,0,-inf,-inf -o a.h5
pad --padding-mask 1x6xbool=1,1,1,1,0,0 -o b.h5
tdiff a.h5 b.h5
pad --padding-mask 1x6=1,1,1,1,0,0 --mask-type boolean -o c.h5
tdiff c.h5 b.h5
pad --padding-mask 1x6=0,0,0,0,-inf,-inf --mask layers.h5:/lower -o d.h5
