# Every format that can hold a type gives back its bits.
for dtype in f64 f32 f16 bf16 i64 i32 i16 i8 u64 u32 u16 u8 bool; do
  tconv 2x3x$dtype=0,1,1,0,1,0 -o a.h5
  tconv a.h5 -f -o b.safetensors
  tdiff --strict a.h5 b.safetensors || true
  if [ $dtype != bf16 ]; then
    tconv a.h5 -f -o b.npy
    tdiff a.h5 b.npy
    tconv --list b.npy | grep -q " $dtype" || echo "$dtype through NPY: $(tconv --list b.npy)"
  fi
  tconv a.h5 -O csv | tdiff - a.h5
  tconv a.h5 | tconv --list | grep -q "  $dtype" || echo "$dtype through a pipe"
  rm a.h5
done
