# A table that is used twice, logits = tanh(scale * table[ids]) table^T, has one gradient, the sum of both uses: the
# stages run backwards in a pipe. tied.h5: computed with PyTorch 2.9.1 in f64 for this project.
F=$TESTDIR/tied.h5
scale=$(tconv $F:/scale -O csv --no-header)
eye=6x6=1,0,0,0,0,0,0,1,0,0,0,0,0,0,1,0,0,0,0,0,0,1,0,0,0,0,0,0,1,0,0,0,0,0,0,1
embed $F:/ids -w $F:/table --scale $scale -o x.h5
linear x.h5 -w $eye --activation tanh -o h.h5
embed --logits h.h5 -w $F:/table --vjp $F:/dy | linear x.h5 -w $eye --activation tanh --vjp -:/dx --keep d/table |
  embed $F:/ids -w $F:/table --scale $scale --vjp -:/dx --add-gradients -:/d -o d.h5
tdiff d.h5:/d/table $F:/gradient --atol 1e-11
