# A training goes on with the data, the validation and the model that it began with.
mkdir start
cp "$EXAMPLES/pronounce/config.json" "$EXAMPLES/pronounce/tokenizer.json" start
printf 'ab\tAH B\nba\tB AH\n' >data.tsv
train() { transformer-train -m start --init --data data.tsv --quiet -o model "$@"; }
train --after 2u
printf 'ab\tAH B\nba\tB AH AH\n' >data.tsv
train --after 4u --resume || echo $?
printf 'ab\tAH B\nba\tB AH\n' >data.tsv
sed -i 's/"version"/ "version"/' start/tokenizer.json
train --after 4u --resume || echo $?
cp "$EXAMPLES/pronounce/tokenizer.json" start
sed -i 's/"d_model": 128/"d_model": 48/' start/config.json
train --after 4u --resume || echo $?
cp "$EXAMPLES/pronounce/config.json" start
cp model/model.safetensors start
from_weights() { transformer-train -m start --data data.tsv --quiet "$@"; }
from_weights --after 4u --resume -o model || echo $?
from_weights --after 1u -o weights
from_weights --after 2u --resume -o weights
cp weights/model.safetensors start
from_weights --after 3u --resume -o weights || echo $?
# A file that changes during training ends it.
cp data.tsv moving.tsv
transformer-train -m start --init --data moving.tsv -o moving --after 100000e 2>updates &
until grep -qs 'update 1' updates; do sleep 0.1; done
printf 'ab\tAH B\n' >moving.tsv
wait $! || echo $?
tail -n 1 updates >&2
# One that has nothing left to do says so.
printf 'ab\tAH B\nba\tB AH\n' >data.tsv
transformer-train -m start --init --data data.tsv -o model --after 1u --resume
# A state without a record is one of an earlier version.
mkdir earlier && posenc --length 2 --dim 2 -o earlier/training.h5
transformer-train -m start --init --data data.tsv -o earlier --after 1u --resume || echo $?
# A default that is given, and a number in another form, are the same.
transformer-train -m start --init --data data.tsv -o model --after 1u --resume --lr 0.0010 --clip-norm 1 || echo $?
