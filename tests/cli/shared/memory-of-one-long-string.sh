# Copies of the longest text count: what -n says is enough for --max-memory, half of it is not, and no more is resident
# beside the program. Quotes are doubled on the way out, and a text of nothing but delimiters is no list of fields.
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
  said=$($command -n | sed -n 's/^memory  \([0-9]*\) bytes$/\1/p')
  taken=$(resident $command --max-memory "$said") || echo "$command: $said bytes are not enough"
  [ "$taken" -lt $((program + said / 1000 + 12000)) ] || echo "$command: $taken KB, said $said, program $program KB"
  code=0
  $command --max-memory $((said / 2)) >out 2>errors || code=$?
  [ $code -eq 71 ] || echo "$command: half of $said bytes: exit code $code"
done
