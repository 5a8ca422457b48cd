# Whatever is allowed above what is enough is enough.
tconv 1x1x1x64xf32=1 -o q.h5
tconv 1x1x20011x64xf32=1 -o k.h5
for bytes in 9500000 10500000 14000000 18000000 19000000 30000000; do
  attend -q q.h5 -k k.h5 -v k.h5 --max-memory $bytes -t 1 -f -o o.h5 && echo $bytes
done
