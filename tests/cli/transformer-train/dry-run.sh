# -n says how much there is to do and writes nothing.
. "$TESTDIR/shared.shlib"
small_model
transformer-train -m start --init --data data.tsv --batch 32 --after 2e -n -o model
ls
