# The shared options of the tools that write no tensor: tdiff and tplot.
tconv 2x3=1,2,3,4,5,6 -o x.h5:/x
tconv x.h5 -O csv --no-header -o plain.csv
{ echo 1,2,3; cat plain.csv; } >named.csv
tr ',' ';' <plain.csv >semicolons.csv
{ cat plain.csv; echo 1,,NA; } >missing.csv
complain() { echo "$tool: $*"; }
for tool in tdiff tplot; do
  # A run that reads the file given, and says what it made of it.
  show() { if [ $tool = tdiff ]; then tdiff "$@" x.h5 --json | sed '/"[ab]":/d'; else tplot "$@" --heatmap --size 60x20; fi; }
  show x.h5 >expected
  show plain.csv --no-header | cmp - expected || complain "--no-header is ignored"
  # A picture shows the names.
  if [ $tool = tplot ]; then show x.h5 --column-labels str=1,2,3 >named; else cp expected named; fi
  show named.csv --header | cmp - named || complain "--header is ignored"
  show semicolons.csv --delim ';' --no-header | cmp - expected || complain "--delim is ignored"
  show missing.csv --no-header --missing omit | cmp - expected || complain "--missing omit is ignored"
  code=0
  $tool missing.csv missing.csv --no-header >out 2>errors || code=$?
  [ $tool = tplot ] || [ $code -eq 65 ] || complain "an empty cell: exit code $code"
  [ $tool = tplot ] || tdiff missing.csv missing.csv --no-header --missing nan || complain "--missing nan is ignored"
  code=0
  show x.h5 --max-memory 10 >out 2>errors || code=$?
  [ ! -s out ] || complain "--max-memory is ignored"
  grep -q "^$tool: .* bytes" errors || complain "--max-memory 10 says $(cat errors)"
  show x.h5 -t 3 --verbose 2>&1 >out | grep -q "^$tool: 3 threads" || complain "-t 3 --verbose does not say 3 threads"
  show x.h5 --progress 2>&1 >out | grep -q "^$tool: done in " || complain "--progress does not say when it is done"
  show x.h5 --progress --no-progress 2>&1 >out | grep -q 'exclude each other' || complain "--no-progress is ignored"
  show x.h5 --dry-run >out
  grep -q -e '^memory  about [0-9]* bytes$' -e '^{"step":"memory","bytes":[0-9]*}$' out || complain "--dry-run: $(cat out)"
  [ "$(wc -l <out)" -lt 6 ] || complain "--dry-run works: $(cat out)"
done
tplot x.h5 -o picture.png --dry-run >out
[ ! -e picture.png ] || echo "tplot --dry-run draws"
tplot x.h5 --heatmap --slab input=0:1 | cmp -s - expected && echo "tplot: --slab is ignored"
tdiff x.h5:/x 2x3=1,2,3,4,5,7 --dry-run
