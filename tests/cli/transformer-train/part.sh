# With --train, the other parameters keep their bits and have no state, and a run that goes on has the bits of one that
# was not stopped.
. "$TESTDIR/shared.shlib"
small_model
transformer-train -m start --init --data data.tsv --after 1u --quiet -o base
options="-m base --data data.tsv --batch 16 --lr 1e-2 --train *.decoder.layers.0.linear?.*,*.norm.weight --quiet"
transformer-train $options --after 2e -t 2 -o whole
transformer-train $options --after 3u -t 1 -o stopped
transformer-train $options --after 2e --resume -t 1 -o stopped
cmp whole/model.safetensors stopped/model.safetensors
tdiff whole/training.h5:/v stopped/training.h5:/v --atol 0 --quiet

compare() {
  tdiff "base/model.safetensors:/$2" "$1/model.safetensors:/$2" --atol 0 >/dev/null && echo "$2 is as before" ||
    echo "$2 has changed"
}
compare whole transformer.decoder.layers.0.linear1.weight
compare whole transformer.encoder.norm.weight
compare whole transformer.decoder.layers.0.norm1.weight
compare whole transformer.encoder.layers.0.linear1.weight
tconv --list whole/training.h5 | grep -c ' *[mv]/'

# Back-propagation ends at the lowest layer that learns.
work() { transformer-train -m base --data data.tsv -n --quiet -o none "$@" | awk '/^compute/ { print $2 }'; }
echo "$(work) $(work --train '*.decoder.norm.*')" | awk '{ print ($2 < 0.4 * $1) }'

# Only what is trained starts anew.
transformer-train -m base --init --train '*.decoder.norm.*' --lr 0 --data data.tsv --after 1u --quiet -o fresh
compare fresh transformer.encoder.norm.weight
compare fresh transformer.decoder.norm.weight

transformer-train $options --train clasifier.norm.wheigt -o other || echo $?
transformer-train -m base --data data.tsv --batch 16 --lr 1e-2 --train embedding.weight --resume -o stopped || echo $?
