# What --split makes of a tensor takes memory for each part, which --max-memory counts.
tconv 20000xi8=7 -o v.h5:/v
tconv v.h5 --split 0 --max-memory 40M -o parts.h5
tconv parts.h5:/v/19999 -O csv --no-header
for limit in 1M 20M; do
  timeout 10 tconv v.h5 --split 0 --max-memory "$limit" -O h5 2>errors >out || echo $?
  sed 's/[0-9][0-9]*/N/g' errors
done
