# What cannot be trained is said before the first update.
. "$TESTDIR/shared.shlib"
small_model
train() { code=0; transformer-train -m start --init "$@" || code=$?; echo $code; }
train --data data.tsv
train -o model
train --data data.tsv -o -
train --data missing.tsv -o model
printf '3 mars 2021\n' >no-tab.tsv
train --data no-tab.tsv -o model
printf '3 mars 2021\t%070d\n' 1 >long.tsv
train --data long.tsv -o model
: >empty.tsv
train --data empty.tsv -o model
tconv 2xf64=1,2 -o numbers.h5
train --data numbers.h5 -o model
train --data data.tsv --after 3 -o model
train --data data.tsv --patience 3 -o model
train --data data.tsv --dropout 1 -o model
mkdir model
train --data data.tsv -o model
transformer-train -m start --data data.tsv -o other || echo $?
train --data data.tsv --lr 1e30 --after 5u -o nan --quiet
ls nan
