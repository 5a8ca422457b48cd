# The parts of a file of lines are its lines, whatever their number; messages count the lines of the whole file.
d=$EXAMPLES/dates
run() { transformer-run -m "$d" -t 1 "$@"; }
printf '%s\n' '3 mars 2021' '5. mai 1999' '1/2/99' '' 'den 7. juni 2003' '4 July 1976' >lines
printf 'last line' >>lines
run <lines >expected
for n in 1 2 3 7 100; do
  rm -f part-*
  for i in $(seq "$n"); do run --shard "$i/$n" -o "part-$(printf %03d "$i").txt" <lines; done
  cat part-* | cmp - expected
done
sed 6s/^/"$(printf "\\377")"/ lines >bad
run --shard 2/2 <bad || echo $?
echo 'a line' | run --shard 1/2 || echo $?
run --shard 1/2 'a text' || echo $?
run --shard 1/2 --ids 1x2xi64=3,4 -o ids.h5 || echo $?
run --shard 1/2 --emit encoder -o e.h5 <lines || echo $?
run --shard 1/2 -o ids.h5 <lines || echo $?
