# Compressed and chunked HDF5 has the same numbers, in files, pipes and added datasets; it is smaller, and HDF5's own tools
# know the filters.
seq 120000 | tconv --no-header --dtype f32 --reshape 40,50,60 -o plain.h5:/x
plain=$(wc -c <plain.h5)
for method in gzip gzip=9 zstd zstd=19 lzf; do
  tconv plain.h5 --compress $method --shuffle -o packed.h5 -f
  tdiff packed.h5 plain.h5
  [ "$(wc -c <packed.h5)" -lt $((plain / 2)) ] || echo "$method is not small"
  cat packed.h5 | tconv - --compress $method --chunks 7,50,11 | tdiff - plain.h5
  tconv "plain.h5:/x[::-3,1]" -A -o packed.h5:/part --compress $method --chunks 4,9
  tdiff "packed.h5:/part[::-1,2:]" "plain.h5:/x[0::3,1,2:]"
done
for method in gzip zstd lzf; do
  tconv plain.h5 --compress $method --shuffle -o packed.h5 -f
  h5dump -pH packed.h5 | grep -o 'CHUNKED (.*)\|COMPRESSION.*\|FILTER_ID.*\|SHUFFLE'
done
# Incompressible, without compression, and without an axis.
tconv 4xf64=0.1,-3e9,7.25,1e-300 --compress lzf | tdiff - 4xf64=0.1,-3e9,7.25,1e-300
tconv str=a,b --compress zstd | tdiff - str=a,b
tconv 0.5 --chunks 3 | tdiff - 0.5
echo "-- refused"
for option in "--compress lz4" "--compress gzip=0" "--compress lzf=3" "--chunks 3,0" "--chunks a"; do
  tconv plain.h5 $option -o none.h5 2>&1 || :
done
[ ! -e none.h5 ]
