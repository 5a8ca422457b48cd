# An attribute of a file has less than 64 KB in HDF5: larger ones are left out, and named. A text with a NUL byte inside
# is stored as it is, and no reference to it; others may have any length.
text=$(head -c 70000 /dev/zero | tr '\0' t)
header="{\"__metadata__\":{\"long\":\"$text\",\"note\":\"a\\u0000$text\"},\"x\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]}}"
n=${#header}
# shellcheck disable=SC2059
printf "\\$(printf %03o $((n % 256)))\\$(printf %03o $((n / 256 % 256)))\\$(printf %03o $((n / 65536)))\\0\\0\\0\\0\\0%s\\1\\2" \
  "$header" >large.safetensors
tconv 1=1 -o there.h5:/there
tconv large.safetensors -o y.h5 2>&1
linear large.safetensors:/x -w 1x2=1,1 --keep x -f -o y.h5 2>&1
tconv large.safetensors 2>errors >y.h5
cat errors
tconv large.safetensors -A -o there.h5 2>&1
for file in y.h5 there.h5; do
  tdiff $file:/x 2xu8=1,2
  tconv --list $file | grep -c 'tttttt'
done
# So is one of a group, and a vector; the attributes of a tensor may have any size.
if python3 -c 'import h5py, numpy' 2>gone; then
  python3 - <<'PYTHON'
import h5py, numpy as np
with h5py.File("theirs.h5", "w", libver="v110") as file:
    file["g/x"] = np.arange(2)
    for at in (file, file["g"], file["g/x"]):
        at.attrs["vector"] = np.zeros(9000)
        at.attrs["one"] = 1
PYTHON
  tconv theirs.h5 -o copy.h5 2>errors
  [ "$(wc -l <errors)" = 2 ] || cat errors
  grep -q 'copy.h5:/g.*vector.*of 72000 bytes' errors || cat errors
  tconv --list copy.h5 | grep -c -e '@one = 1' -e '@vector = '
else
  echo 4
fi
