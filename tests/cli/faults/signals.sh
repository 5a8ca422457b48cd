# A signal during a write: the old file stays, no temporary file is left, and the shell sees the signal.
tconv linspace=0,1,10 -o out.h5
cp out.h5 old.h5
tconv linspace=0,1,1000000 -o big.h5
for signal in TERM INT HUP QUIT; do
  for delay in 0.001 0.002 0.005 0.01 0.02 0.05; do
    # The pipe stays open, so that the tool has always more to wait for.
    code=0
    { cat big.h5 big.h5 big.h5; sleep 1; } | timeout --preserve-status -s $signal $delay tconv -f -o out.h5 || code=$?
    [ $code -gt 128 ] || echo "$signal after $delay: exit code $code"
    cmp out.h5 old.h5 || echo "$signal after $delay: the old file is gone"
  done
done
ls -A
