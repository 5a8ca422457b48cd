# A note says that lines have characters that the tokenizer does not know.
run() { transformer-run -m "$EXAMPLES/dates" --max-new-tokens 1 "$@" 2>&1 >out; }
run "3 mars 2021"
run "3 mars 2021" "3 ☃ 2021"
printf '3 mars\n3 ☃ 2021\n☃\n' | run --batch 1
run --quiet "☃"
run "☃" -O h5
