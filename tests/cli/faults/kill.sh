# kill -9 from before the write to behind the rename: the file is the old one or the new one, whole.
tconv linspace=0,1,10 -o old.h5
tconv linspace=0,1,400000 -o big.h5
tconv big.h5 --no-history -o new.h5
seen_old=0 seen_new=0 round=0
while [ $round -lt 300 ] && { [ $round -lt 30 ] || [ $seen_old = 0 ] || [ $seen_new = 0 ]; }; do
  round=$((round + 1))
  cp old.h5 out.h5
  delay=$(printf '0.%04d' $((round * 7)))
  (timeout -s KILL "$delay" tconv big.h5 --no-history -f -o out.h5; exit $?) 2>killed || true
  if cmp -s out.h5 old.h5; then seen_old=1; elif cmp -s out.h5 new.h5; then seen_new=1; else echo "round $round: neither"; fi
done
ls -A | grep -v -e '^\.out\.h5\.[0-9]*-[0-9]*\.tmp$' -e '^[a-z]*\.h5$' -e '^killed$' || true
[ $seen_old = 1 ] && [ $seen_new = 1 ] || echo "old seen: $seen_old, new seen: $seen_new: the delays hit nothing"
