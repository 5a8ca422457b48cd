# What JSON and wide tables take counts for --max-memory.
mkdir m && cp "$FIXTURES/words/tokenizer.json" m
awk 'BEGIN { printf "{\"a\": ["; for (i = 0; i < 999999; ++i) printf "[],"; print "[]]}" }' >m/config.json
echo the | tokenize -m m --max-memory 40M || echo $?
awk 'BEGIN { for (i = 0; i < 999999; ++i) printf "1,"; print 1 }' >wide.csv
tconv wide.csv --max-memory 40M -o y.h5 || echo $?
