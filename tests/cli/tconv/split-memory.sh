# What --split makes of a tensor takes memory for each part, which -n says and --max-memory counts.
tconv 20000xi8=7 -o v.h5:/v
said=$(tconv v.h5 --split 0 -n | sed -n 's/^memory  \([0-9]*\) bytes$/\1/p')
[ "$said" -gt 2000000 ] || echo "said $said"
tconv v.h5 --split 0 --max-memory "$said" -o parts.h5
tconv parts.h5:/v/19999 -O csv --no-header
for limit in 1M $((said / 2)); do
  timeout 10 tconv v.h5 --split 0 --max-memory "$limit" -O h5 2>errors >out || echo $?
  sed 's/[0-9][0-9]*/N/g' errors
done
