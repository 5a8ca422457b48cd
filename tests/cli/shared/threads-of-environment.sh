# Without -t, OMP_NUM_THREADS says how many threads there are; what is no number of threads is ignored there.
threads() { softmax 2=1,2 "$@" --verbose 2>&1 >/dev/null | grep -o '[0-9]* threads'; }
automatic=$(threads -t auto)
for value in 1 3 4,2; do OMP_NUM_THREADS=$value threads; done
for value in '' 0 -2 many 9999999999999999999999 ,2; do
  [ "$(OMP_NUM_THREADS=$value threads)" = "$automatic" ] || echo "OMP_NUM_THREADS='$value' is heeded"
done
OMP_NUM_THREADS=1 threads -t 2
[ "$(OMP_NUM_THREADS=3 threads -t auto)" = "$automatic" ]
