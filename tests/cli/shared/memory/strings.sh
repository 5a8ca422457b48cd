# Texts of strings count, with what reading them takes: no more is resident than --max-memory allows beside the program
# and the few megabytes that do not count, or the run is refused. A run that is refused may
# still hold pages of the file that it was reading, which the system takes back when it needs them.
. "$SUPPORT/own-memory.sh"
command -v h5repack >/dev/null && [ -x /usr/bin/time ] || exit 77
resident() { /usr/bin/time -f %M -o kilobytes "$@" >/dev/null && cat kilobytes; }
seq -f '%045.0f' 600000 | sed 's/^/w/' >long.csv
seq -f 'w%.0f' 600000 >short.csv
awk 'BEGIN { for (i = 0; i < 4194304; ++i) printf "x"; for (i = 0; i < 100000; ++i) printf "\nword number %d", i }' >skewed.csv
for name in long short skewed; do tconv $name.csv --no-header -o $name.h5:/s; done
h5repack -l s:CHUNK=5000 long.h5 chunks.h5
{
  printf '\223NUMPY\001\000\166\000%-117s\n' "{'descr': '|S46', 'fortran_order': False, 'shape': (600000,), }"
  tr -d '\n' <long.csv
} >long.npy
cp long.h5 both.h5 && tconv 2=1,2 -A -o both.h5:/x
program=$(resident tconv 2=1,2 -O csv)
while read -r command; do
  for limit in 20000000 60000000 150000000 600000000; do
    code=0
    # shellcheck disable=SC2086
    /usr/bin/time -f %M -o kilobytes $command --max-memory $limit >out 2>errors || code=$?
    [ $code -eq 0 ] || [ $code -eq 71 ] || echo "$command: $limit bytes: $code $(cat errors)"
    taken=$(tail -n 1 kilobytes) beside=20000
    [ $code -eq 0 ] || beside=40000
    [ "$taken" -lt $((program + limit / 1000 + beside)) ] || echo "$command: $taken KB, allowed $limit, program $program KB"
  done
  [ $code -eq 0 ] || echo "$command: $limit bytes are not enough"
done <<END
tconv long.h5 -O csv
tconv long.h5 -O h5
tconv long.h5:/s[::3] -O csv
tconv long.h5:/s[::-1] -O csv
tconv chunks.h5:/s[1000:300000] -O csv
tconv short.h5 -O csv
tconv skewed.h5 -O csv
tconv skewed.h5:/s[1:] -O csv
tconv long.csv --no-header -O csv
tconv skewed.csv --no-header -O csv
tconv long.npy -O csv
tconv long.h5:/s long.h5:/s[:1000] --concat 0 -O csv
tconv long.h5:/s[:300000] long.h5:/s[300000:] --reshape 300,1000 --transpose --stack 0 -O h5
tdiff long.h5 chunks.h5
tdiff long.h5 long.csv --no-header
softmax both.h5:/x --keep s
END
