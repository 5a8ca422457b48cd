# The first letters of a header may be those of a binary format: a table is a table if all of it is text.
exec 2>&1
for header in PAR1,PAR2 GGUF,b FEA1,b ARROW1,b BZh9,b ORC,b GRIB,b GIF89a,b id_ftyp,b idx,ftype '[0],[1]' '[0.025,0.975]' \
  'SIMPLE  =,b' '<?xml,b' '<html>,<b>' '<table>,b' '{"a",b' '["a",b' '[1,b' '{},b' '[true,b' %PDF-1,b '%%MatrixMarket,b' \
  '%%MatrixMarketing,b' 'version https://git-lfs.github.com/spec/,b'; do
  printf '%s\n1,2\n' "$header" | tconv -O csv
done
# In the 257th byte, where tar has its mark.
{ printf 'a%.0s' $(seq 255) && printf 'm,ustard\n1,2\n'; } | tconv - -o tar.h5
printf '[0.025, 0.975]\n[1, 2]\n' | tconv -O csv || echo "exit code $?"
printf 'PAR1\025\004' | tconv -O csv || echo "exit code $?"
printf 'GIF89a\002\000\002\000' | tconv -O csv || echo "exit code $?"
printf 'BZh91AY&SY\013\334' | tconv -O csv || echo "exit code $?"
# Files of these formats, whose text is no table.
for text in 'SIMPLE  =                    T / a file' '<?xml version="1.0"?>\n<a/>' '<!DOCTYPE html>\n<p>none' '<html>none</html>' \
  '{"a": [1, null], "b": {}}' '[{"a": "x\\"y"},\n {"a": -1.5e3}]' '{"a": 1}\n{"a": 2}' '[NaN, true' '%%PDF-1.4\n1 0 obj' \
  'version https://git-lfs.github.com/spec/v1\noid sha256:0'; do
  printf "$text\n" | tconv -O csv || echo "exit code $?"
done
