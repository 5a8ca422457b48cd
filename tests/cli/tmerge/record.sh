# The declaration of an option is enough: parts that differ in it are refused. A value counts as it was parsed, and an
# option that is said to change no number is left out.
command -v scaling-tool >/dev/null || { echo "scaling-tool is not installed" >&2; exit 77; }
part() { shard=$1; shift; scaling-tool linspace=1,5,5 --shard "$shard/2" "$@" -f -o "$shard.h5"; }
merged() { tmerge 1.h5 2.h5 --no-history -O csv || echo $?; }
part 1 && part 2 --factor 2.0 --remark here -t 2 --quiet --no-history --compress gzip
merged
part 2 --factor 3 && merged
part 2 --negative && merged
part 2 --offset 1 && merged
part 1 --offset 2 && merged
scaling-tool linspace=1,6,5 --offset 1 --shard 1/2 -f -o 1.h5 && merged
tconv linspace=1,5,5 -O csv --delim ';' -o x.csv
scaling-tool x.csv --delim ';' --offset 1 --shard 1/2 -f -o 1.h5 && merged
