# No n-gram twice, and a penalty on what occurs already: the answer without repetitions has no character twice.
run() { transformer-run -m "$EXAMPLES/dates" "$@" "3 mars 2021"; }
run --no-repeat-ngram 1 --max-new-tokens 8 | grep -o . | sort | uniq -d
for penalty in 1 2; do run --repetition-penalty $penalty --emit scores -o $penalty.h5; done
run --emit scores -o none.h5
tdiff 1.h5:/scores none.h5:/scores --rtol 0 --atol 0
if tdiff 2.h5:/scores none.h5:/scores >report; then echo "the penalty changes nothing"; fi
