# --dry-run plans each batch of a stream and says what is new in it; the memory is that of the largest batch.
tconv 2x3=1,2,3,4,5,6 -o small.h5
tconv 50x30=1 -o large.h5
cat small.h5 small.h5 large.h5 >stream.h5
softmax stream.h5 -n
cat stream.h5 | softmax -n | grep -c batches
for job in "softmax stream.h5" "posenc stream.h5" "tconv stream.h5 --transpose" "tconv stream.h5 --dtype f16" \
  "tdiff stream.h5 stream.h5" "addnorm stream.h5 --residual stream.h5"; do
  needed=$($job -n | sed -n 's/^memory  \(.*\) bytes/\1/p')
  $job --max-memory "$needed" >result || echo "$job: $needed bytes are not enough"
  code=0
  $job --max-memory $((needed - 1)) >result 2>&1 || code=$?
  [ $code = 71 ] || echo "$job: $((needed - 1)) bytes: $code"
done
