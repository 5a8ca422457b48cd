# Copies of the longest text count: no more is resident than --max-memory allows beside the program, or the run is
# refused. Quotes are doubled on the way out, and a text of nothing but delimiters is no list of fields.
. "$SUPPORT/own-memory.sh"
command -v h5repack >/dev/null && [ -x /usr/bin/time ] || exit 77
resident() { /usr/bin/time -f %M -o kilobytes "$@" >/dev/null && cat kilobytes; }
awk 'BEGIN { for (w = "x,"; length(w) < 16000000;) w = w w; print "\"" w "\"" }' >one.csv
awk 'BEGIN { for (w = "x\"\"\n"; length(w) < 4000000;) w = w w; for (i = 0; i < 4; ++i) print "\"" w "\"" }' >four.csv
for name in one four; do
  tconv $name.csv --no-header -o $name.h5:/s
  tconv $name.h5 --no-header -o again.csv -f
  cmp $name.csv again.csv
done
program=$(resident tconv 2=1,2 -O csv)
for command in 'tconv one.h5 -O h5' 'tconv one.h5 -O csv' 'tconv one.csv --no-header -O h5' \
  'tconv one.csv --no-header -O csv' 'tconv four.h5 -O h5' 'tconv four.csv --no-header -O csv' \
  'tdiff one.csv one.csv --no-header' 'tdiff one.h5 one.csv --no-header'; do
  for limit in 10000000 40000000 80000000 300000000; do
    code=0
    /usr/bin/time -f %M -o kilobytes $command --max-memory $limit >out 2>errors || code=$?
    [ $code -eq 0 ] || [ $code -eq 71 ] || echo "$command: $limit bytes: $code $(cat errors)"
    taken=$(tail -n 1 kilobytes) beside=12000
    [ $code -eq 0 ] || beside=20000  # pages of files that it was reading
    [ "$taken" -lt $((program + limit / 1000 + beside)) ] || echo "$command: $taken KB, allowed $limit, program $program KB"
  done
  [ $code -eq 0 ] || echo "$command: $limit bytes are not enough"
done
