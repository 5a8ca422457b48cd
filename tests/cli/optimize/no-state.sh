# AdamW needs a state.
optimize -w w.h5 -g d.h5:/d
