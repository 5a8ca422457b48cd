# A second trace goes beside the first with -A; without it, and onto a group that is there, the file stays as it is. -f
# replaces a group of that name alone.
run() { transformer-run -m "$EXAMPLES/dates" --trace-filter '*/0/self_attn/q' "$@" "3 mars 2021" 2>&1 || echo "exit $?"; }
run --trace run.h5:/a
run --trace run.h5:/b
run -A --trace run.h5:/b
run -A --trace run.h5:/b
run -A --trace run.h5:/c -o text.txt
run -A -o text.txt
tconv --list run.h5 | sed 's/ .*//'
tdiff run.h5:/a/encoder/0/self_attn/q run.h5:/b/encoder/0/self_attn/q --rtol 0 --atol 0
run -f --trace run.h5:/d
tconv --list run.h5 | sed 's/ .*//'
