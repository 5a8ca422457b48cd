# Lines may come from a pipe, once, or compressed, or end with CR; what a killed run left in the folder is removed.
. "$TESTDIR/shared.shlib"
small_model
options="-m start --init --batch 16 --after 1e --quiet"
transformer-train $options --data data.tsv --valid valid.tsv -o file
mkdir pipe
: >pipe/.training.h5.4711-0.tmp
cat data.tsv | transformer-train $options --data - --valid valid.tsv -o pipe --resume
cmp file/model.safetensors pipe/model.safetensors
ls -A pipe
mkfifo named
(sleep 0.1; cat data.tsv) >named &
transformer-train $options --data named --valid valid.tsv -o named-pipe
cmp file/model.safetensors named-pipe/model.safetensors
gzip -k data.tsv
transformer-train $options --data data.tsv.gz --valid valid.tsv -o packed
cmp file/model.safetensors packed/model.safetensors
sed 's/$/\r/' data.tsv | head -c -2 >other.tsv
transformer-train $options --data other.tsv --valid valid.tsv -o other
cmp file/model.safetensors other/model.safetensors
printf 'no tab\n' | transformer-train $options --data - -o wrong || echo $?
transformer-train $options --data - --valid - -o wrong || echo $?
