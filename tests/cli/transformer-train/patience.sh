# Without a lower loss the run ends early.
. "$TESTDIR/shared.shlib"
small_model
transformer-train -m start --init --data data.tsv --valid valid.tsv --lr 0 --after 9e --patience 2 -o model
wc -l <model/log.csv
