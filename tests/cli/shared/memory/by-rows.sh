# Stages of which a row needs only a row of the input run by blocks of rows: in less memory than the input has bytes, and
# with the bits of its parts, which are small enough for one block.
posenc --length 30000 --dim 64 --dtype f64 -o x.h5
posenc --length 40 --dim 64 -o w.h5
check() {
  "$@" x.h5:/y --no-history --max-memory 12M -f -o whole.h5
  for first in 0 10000 20000; do
    "$@" "x.h5:/y[$first:$((first + 10000))]" --no-history -f -o $first.h5
  done
  tconv 0.h5 10000.h5 20000.h5 --concat 0 -f -o parts.h5
  tdiff --ulp 0 --quiet whole.h5 parts.h5 || echo "$* differs"
}
check linear -w w.h5:/y --activation gelu
check softmax --temperature 2
check addnorm --no-residual
check embed --logits -w w.h5:/y
check tconv --dtype f32
check attend -k w.h5 -v w.h5 -q
tdiff x.h5 x.h5:/ --max-memory 3M
! tdiff whole.h5:/y x.h5:/y --max-memory 3M >differences
# Rows count from the first of all, also where they are those of several sequences.
tconv x.h5:/y --reshape 2,15000,64 -o two.h5
posenc two.h5 --max-memory 12M -o places.h5
for i in 0 1; do posenc "two.h5:/y[$i]" -f -o $i.h5; done
tconv 0.h5 1.h5 --stack 0 | tdiff --ulp 0 places.h5 -
attend -q x.h5 -k x.h5:/y[:300] -v x.h5:/y[:300] --causal --max-memory 12M -o causal.h5
attend -q x.h5 -k x.h5:/y[:300] -v x.h5:/y[:300] --causal --emit lse -o lse.h5
tdiff --ulp 0 causal.h5 lse.h5:/y
# A residual, and a table that goes to the end as it comes.
addnorm x.h5 -r x.h5 --no-norm --max-memory 14M -O csv -o twice.csv
addnorm x.h5 -r x.h5 --no-norm --keep-input -o twice.h5
tdiff --ulp 0 twice.csv twice.h5:/y
# Tables are parsed a part at a time: a header, quotes, comments, blank lines and missing cells where they are cut.
awk 'BEGIN {
  print "\"a\",\"b, c\",\"d\""
  for (i = 0; i < 200000; ++i) print "\"" i "\",\"" (-i / 4) "\" , \"" i % 7 (i % 5 ? "\"" : "\"\n\n# 1,2,3")
}' >t.csv
awk 'BEGIN { print "a,b"; for (i = 0; i < 200000; ++i) print i "," (i % 3 ? i / 2 : "NA") }' >missing.csv
for table in "t.csv" "t.csv:/d,a" "missing.csv --missing nan" "missing.csv --missing omit"; do
  # shellcheck disable=SC2086
  softmax $table --max-memory 8M --quiet --no-history -f -o whole.h5
  for first in 0 70000 140000; do
    # shellcheck disable=SC2086
    tconv $table --slab $first:$((first + 70000)) --quiet | softmax --no-history -f -o $first.h5
  done
  tconv 0.h5 70000.h5 140000.h5 --concat 0 -f -o parts.h5
  tdiff --ulp 0 --quiet whole.h5 parts.h5 || echo "$table differs"
done
tconv t.csv --slab 150000:100:-7,1: -O csv --quiet | sed -n '1,3p;$p'
# What is wrong is said of all rows, or of those of its block.
tconv x.h5 --slab 0:9,:,: || echo "$?"
linear x.h5 -w w.h5:/y[:,:5] || echo "$?"
seq 2000000 | awk '{ print $1 < 2000000 ? 1 : 99 }' | tconv - --no-header --dtype i64 -o ids.h5
embed ids.h5 -w w.h5:/y -o none.h5 || echo "$?"
[ ! -e none.h5 ]
