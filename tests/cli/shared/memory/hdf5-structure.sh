# What looking through an HDF5 file takes counts for --max-memory: very many datasets, though not where
# one is named. Of strings it is little, as many lie in one heap, which is listed once.
seq -f w%.0f 400000 >s.csv
tconv s.csv --no-header -o s.h5:/s
tconv 3=1,2,3 -A -o s.h5:/x
tconv 6000xi8=1 --split 0 -o many.h5
tconv 3=1,2,3 -A -o many.h5:/x
for command in 'tconv s.h5:/x' 'tconv s.h5:/s[:2]' 'tconv --list s.h5' 'tconv many.h5:/x'; do
  $command --max-memory 1M >/dev/null || echo "$command: 1M is not enough"
done
tconv --list many.h5 --max-memory 60M >/dev/null
code=0
tconv --list many.h5 --max-memory 1M >/dev/null 2>errors || code=$?
[ $code -eq 71 ] || echo "exit code $code"
