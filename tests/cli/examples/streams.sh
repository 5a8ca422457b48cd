# Process substitution and FIFOs: two pipelines compared while they run, and one stream for two readers.
command -v bash >/dev/null || { echo "bash is not installed" >&2; exit 77; }
"$EXAMPLES/streams.sh" .
tconv --list attended.h5 | grep '^y'
tail -n +2 first-head.csv | awk -F , 'NF != 12 { print "row " NR " has " NF } { s = 0; for (i = 1; i <= NF; ++i) s += $i; if (s < 0.99999 || s > 1.00001) print "sum " s }'
