# A suffix in capitals says the same, written and read.
for suffix in csv tsv npy h5 safetensors; do
  tconv 2x2xf64=1,2,3,4 -o small.$suffix --no-history 2>/dev/null || tconv 2x2xf64=1,2,3,4 -o small.$suffix
  capitals=$(echo $suffix | tr a-z A-Z)
  tconv 2x2xf64=1,2,3,4 -o LARGE.$capitals --no-history 2>/dev/null || tconv 2x2xf64=1,2,3,4 -o LARGE.$capitals
  cmp small.$suffix LARGE.$capitals
  tdiff small.$suffix LARGE.$capitals
done
gzip LARGE.TSV
tdiff small.tsv LARGE.TSV.gz
