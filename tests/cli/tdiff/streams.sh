# Batches after the first are told apart.
tconv 2=1,2 --no-history -o a.h5
tconv 2=1,3 --no-history -o b.h5
cat a.h5 a.h5 b.h5 >first.h5
cat b.h5 a.h5 a.h5 >second.h5
tdiff first.h5 second.h5 || echo "exit code $?"
tdiff --json first.h5 second.h5 | grep batch
# Unequal numbers of batches are a difference, also where all of those of one side are equal; a literal goes with any.
cat a.h5 a.h5 >two.h5
for pair in "a.h5 two.h5" "first.h5 two.h5" "two.h5:/y a.h5:/y"; do
  code=0
  tdiff $pair || code=$?
  [ $code -eq 1 ] || echo "$pair: exit code $code"
done
tdiff a.h5 - <two.h5 || echo "exit code $?"
tdiff --json a.h5 first.h5 | sed -n '/^}/,$p' || true
tdiff two.h5 2=1,2
tdiff two.h5 two.h5
cat two.h5 | tdiff - two.h5
