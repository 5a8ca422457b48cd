# What needs all keys at once is refused before it is computed.
tconv linspace=0,100,3000000 -o keys.h5
attend --emit weights -q linspace=0,100,7 -k keys.h5 -v keys.h5 --max-memory 20M -t 1 -o y.h5 2>errors || code=$?
grep -q "needs .* bytes of memory, 20971520 are allowed" errors
[ ! -e y.h5 ]
exit $code
