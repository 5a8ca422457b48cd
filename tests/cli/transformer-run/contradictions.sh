# Two options that say opposite things are a mistake; what cannot be kept is said.
run() { transformer-run -m "$EXAMPLES/dates" "$@" "3 mars 2021" 2>&1 || echo "exit $?"; }
run --sample --no-sample
run --quiet --verbose
run --no-progress --progress
run --header --no-header
g=$CONFORMANCE/models/gpt2
transformer-run -m "$g" --ids 2x3xi64=5,6,7,8,9,10 --min-new-tokens 70 -O csv 2>&1 | wc -l
transformer-run -m "$g" --ids 2x3xi64=5,6,7,8,9,10 --min-new-tokens 70 -o y.h5 2>&1
transformer-run -m "$g" --ids 2x3xi64=5,6,7,8,9,10 --min-new-tokens 61 -f -o y.h5 2>&1
