# A table of words and numbers takes time in proportion to its columns, each of which is a dataset.
awk 'BEGIN {
  for (i = 0; i < 60000; ++i) printf "%sc%d", i ? "," : "", i
  for (row = 0; row < 2; ++row)
    for (i = 0; i < 60000; ++i) printf "%s%s", i ? "," : "\n", i % 2 ? i : "w" i
  print ""
}' >wide.csv
timeout 10 tconv wide.csv -n | tail -n 1 | sed 's/[0-9][0-9]*/N/'
timeout 10 tconv --list wide.csv | tail -n 1
timeout 10 tconv wide.csv -O csv | cmp - wide.csv
timeout 10 tconv wide.csv --slab 1: -O csv | sed 1d | tr , '\n' | tail -n 2
# Columns are read together, and what is wrong with one is no matter of another.
printf 'a,b,c,d,word\n1,2,3,4,w\n1,2,x,4,w\n' >odd.csv
tconv odd.csv --select a --select b --select d --select word -O csv
tconv odd.csv 2>&1 || echo $?
