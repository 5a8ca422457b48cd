# Ids choose rows; the scale multiplies them; logits are the products with all rows.
L=$FIXTURES/layers/layers.h5
embed $L:/ids -w $L:/table -o a.h5
embed $L:/ids -w $L:/table/weight | tdiff - a.h5
for i in 0 1; do
  posenc 1x6x8=$(seq -s, 48 | sed 's/[0-9]*/0/g') --kind learned -w $L:/table/weight --positions $L:/ids[$i:$((i + 1))] |
    tdiff - a.h5:/y[$i:$((i + 1))]
done
embed $L:/ids -w $L:/table --scale 2 -o b.h5
linear a.h5 -w $L:/identity | addnorm --no-norm --residual a.h5 | tdiff - b.h5
embed --logits a.h5 -w $L:/table -o logits.h5
linear a.h5 -w $L:/table/weight | tdiff - logits.h5
embed --logits a.h5 -w $L:/table --bias linspace=0,9,10 -o c.h5
linear a.h5 -w $L:/table/weight -b linspace=0,9,10 | tdiff - c.h5
