# The maximum cuts, the minimum keeps the end token away, past the end token goes on to the maximum.
run() { transformer-run -m "$EXAMPLES/dates" "$@" "3 mars 2021"; }
run --max-new-tokens 4
run --min-new-tokens 14 --max-new-tokens 14 -o long.h5
run --ignore-end --max-new-tokens 14 -o past.h5
tconv long.h5 -o - -O csv | tr , '\n' | grep -c '^2$' || true
tconv past.h5 -o - -O csv | tr , '\n' | grep '^2$' | head -n 1
