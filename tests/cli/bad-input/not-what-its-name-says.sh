# Text under the name of a binary format, and text that is no table under any name.
. "$SUPPORT/try.sh"
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 438064459\n' >pointer
printf '<!DOCTYPE html>\n<html><head><title>404 Not Found</title></head></html>\n' >page
printf '404: Not Found\n' >line
printf '1,2\n3,4\n' >numbers
for name in h5 HDF5 npy safetensors; do
  for text in pointer page line numbers; do
    cp $text "$text.$name"
    try tconv --list "$text.$name"
  done
done
echo "-- any name"
printf '{"error": "not found"}\n' >object
printf '[[1, 2],\n [3, 4]]\n' >list
printf '<?xml version="1.0"?>\n<Error><Code>AccessDenied</Code></Error>\n' >xml
printf 'a,b\n1,2\n' | iconv -t UTF-16LE >wide
printf 'PAR1\025\004' >parquet
printf 'SQLite format 3\000' >sqlite
printf '\200\004\225' >pickle
printf '\375\067zXZ\000' >xz
printf 'MATLAB 5.0 MAT-file Platform: posix\000' >matlab5
printf 'CDF\001\000' >netcdf3
printf '\016\003\023\001' >hdf4
printf 'SIMPLE  =                    T' >fits
printf 'GRIB\000\000\000\002' >grib
printf 'GGUF\003\000\000\000' >gguf
printf '\010\010\022\007pytorch' >onnx
printf 'X\n\000\000\000\003' | gzip >rds
tar -cf tar parquet
printf '<table border="1">\n' >html
for text in pointer page object list xml wide parquet sqlite pickle xz matlab5 netcdf3 hdf4 fits grib gguf onnx rds tar html; do
  cp $text x.csv
  try tconv x.csv -o y.h5
done
try tconv - -o y.h5 <page
[ ! -e y.h5 ]
echo "-- cells"
printf '[CLS]\nthe\n' | try tconv -O csv
