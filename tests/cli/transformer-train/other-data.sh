# A training goes on with the data, the validation and the config.json that it began with.
mkdir start
cp "$EXAMPLES/pronounce/config.json" "$EXAMPLES/pronounce/tokenizer.json" start
printf 'ab\tAH B\nba\tB AH\n' >data.tsv
train() { transformer-train -m start --init --data data.tsv --quiet -o model "$@"; }
train --after 2u
printf 'ab\tAH B\nba\tB AH AH\n' >data.tsv
train --after 4u --resume || echo $?
# A file that changes during training ends it.
cp data.tsv moving.tsv
transformer-train -m start --init --data moving.tsv -o moving --after 100000e 2>updates &
until grep -q 'update 1' updates; do sleep 0.1; done
printf 'ab\tAH B\n' >moving.tsv
wait $! || echo $?
tail -n 1 updates >&2
# One that has nothing left to do says so.
printf 'ab\tAH B\nba\tB AH\n' >data.tsv
transformer-train -m start --init --data data.tsv -o model --after 1u --resume
