# HDF5's own tools read every dataset of an image, however many names a group has: in one node, in several, in trees of
# them.
command -v h5repack >/dev/null || exit 77
for count in 1 8 9 300 20000; do
  awk -v count=$count 'BEGIN {
    printf "{"
    for (i = 0; i < count; ++i)
      printf "%s\"%sn%d\":{\"dtype\":\"U8\",\"shape\":[5],\"data_offsets\":[%d,%d]}", i ? "," : "", i % 2 ? "g." : "", i, 5 * i, 5 * i + 5
    printf "}"
  }' >header
  length=$(wc -c <header)
  {
    printf "\\$(printf %o $((length % 256)))\\$(printf %o $((length / 256 % 256)))\\$(printf %o $((length / 65536)))\\0\\0\\0\\0\\0"
    cat header
    awk -v count=$count 'BEGIN { for (i = 0; i < count; ++i) printf "%05d", i }'
  } >x.safetensors
  tconv --quiet x.safetensors -f -o x.h5
  h5ls -r x.h5 | grep -c Dataset
  rm -f again.h5
  h5repack x.h5 again.h5
  tdiff again.h5 x.safetensors
  tdiff x.h5 x.safetensors
done
# Texts and names of any alphabet, groups in groups, and one dataset of each dtype.
printf '"ä b"\n""\nlonger\n' | tconv --no-header -o texts.h5:/größe/α/w
for dtype in f64 f32 f16 bf16 i64 i32 i16 i8 u64 u32 u16 u8 bool; do
  tconv 2x3=1,0,1,1,0,1 --dtype $dtype -A -o texts.h5:/größe/$dtype
done
h5repack texts.h5 texts-again.h5
tdiff --strict texts.h5 texts-again.h5
