# Lines may come from a pipe, once; what a killed run left in the folder is removed.
. "$TESTDIR/shared.shlib"
small_model
options="-m start --init --batch 16 --after 1e --quiet"
transformer-train $options --data data.tsv --valid valid.tsv -o file
mkdir pipe
: >pipe/.training.h5.4711-0.tmp
cat data.tsv | transformer-train $options --data - --valid valid.tsv -o pipe --resume
cmp file/model.safetensors pipe/model.safetensors
ls -A pipe
printf 'no tab\n' | transformer-train $options --data - -o other || echo $?
transformer-train $options --data - --valid - -o other || echo $?
