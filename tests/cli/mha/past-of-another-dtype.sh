# Keys of one dtype go behind a past of another: of two keys alike each weighs a half, (3 + 5) / 2.
for dtype in f32 bf16 f16 f64; do
  tconv 1x1x1x1xf32=1 --dtype $dtype -f -o k.h5
  tconv 1x1x1x1xf32=3 --dtype $dtype -f -o v.h5
  for past in f32 f64; do
    mha --stage attend -q 1x1x1x1x$past=2 -k k.h5 -v v.h5 --past-key 1x1x1x1x$past=1 --past-value 1x1x1x1x$past=5 \
      -O csv | tail -n 1
  done
done
