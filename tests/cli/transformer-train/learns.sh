# A small model learns, the better of two epochs is kept, and the result is a model.
. "$TESTDIR/shared.shlib"
small_model
transformer-train -m start --init --data data.tsv --valid data.tsv --batch 8 --lr 1e-2 --after 40e --clip-norm 1 -o model --quiet
tail -n 1 model/log.csv | awk -F , '{ print ($4 < 0.7 ? "learned" : "loss " $4), ($5 > 0.7) }'
head -n 1 model/log.csv
transformer-run -m model "3 mars 2021" | grep -c '^[0-9-]*$'
# The other files of a model go along, but nothing that a link elsewhere leads to.
ln -s "$PWD/data.tsv" start/others.txt
echo '{}' >start/more.json
transformer-train -m start --init --data data.tsv --after 1u --quiet -o copied
ls copied
