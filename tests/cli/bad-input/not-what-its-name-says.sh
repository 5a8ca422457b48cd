# Text under the name of a binary format, and text that is no table under any name.
exec 2>&1
try() { "$@" || echo "exit code $?"; }
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
for text in pointer page object list xml wide parquet sqlite pickle xz; do
  cp $text x.csv
  try tconv x.csv -o y.h5
done
try tconv - -o y.h5 <page
[ ! -e y.h5 ]
echo "-- cells"
printf '[CLS]\nthe\n' | tconv -O csv
