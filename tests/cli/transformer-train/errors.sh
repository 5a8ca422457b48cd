# What cannot be trained is said before the first update, and no model is made.
. "$TESTDIR/shared.shlib"
. "$SUPPORT/try.sh"
small_model
train() { transformer-train -m start --init "$@"; }
try train --data data.tsv
try train -o model
try train --data data.tsv -o -
try train --data data.tsv --after 3 -o model
try train --data data.tsv --patience 3 -o model
try train --data data.tsv --dropout 1 -o model

# The words of other programs.
for word in --epochs --num-epochs --n-epochs --num-train-epochs --max-steps --learning-rate --batch-size \
  --gradient-accumulation-steps --lr_scheduler_type --max-grad-norm --gradient-clip --eval-data --eval --val \
  --save-dir --output-dir --optimizer --early-stopping; do
  try train $word 3
done

# Data that are missing, or of another kind than the model.
try train --data missing.tsv -o model
printf '3 mars 2021\n' >no-tab.tsv
try train --data no-tab.tsv -o model
printf '3 mars 2021\t%070d\n' 1 >long.tsv
try train --data long.tsv --max-length 0 -o model
: >empty.tsv
try train --data empty.tsv -o model
tconv 2xf64=1,2 -o numbers.h5
try train --data numbers.h5 -o model

# An output that exists, and a model without weights to go on from.
mkdir model
try train --data data.tsv -o model
try transformer-train -m start --data data.tsv -o other

# A loss that is no number ends the training; what was written before stays.
try train --data data.tsv --lr 1e30 --after 5u -o nan --quiet
ls nan
