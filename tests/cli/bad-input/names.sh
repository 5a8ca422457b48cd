# Names that a format cannot hold, and names that are a dataset and a group: the output cannot be made, exit code 73.
try() {
  rm -f out.*
  code=0
  "$@" || code=$?
  echo $code
  ls out.* 2>/dev/null || true
}
for name in . a//b ./a a/. a/./b; do
  try tconv 1=1 -o out.h5:/$name
  try softmax 1=1 -o out.h5:/$name
  try tconv 1=1 --rename y=$name -o out.h5
  try tconv 1=1 --rename y=$name -o out.safetensors
done
echo "-- a dataset and a group"
tconv 1=1 --rename y=a -o a.h5
tconv 1=1 --rename y=a/b -o ab.h5
try tconv a.h5 ab.h5 -o out.h5
try tconv ab.h5 a.h5 -o out.h5
try tconv ab.h5 -A -o a.h5
try tconv a.h5 -A -f -o ab.h5
try tconv a.h5 ab.h5 -o out.safetensors
echo "-- names without any"
header='{"":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"/":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}}'
# shellcheck disable=SC2059
printf "\\$(printf %03o ${#header})\\0\\0\\0\\0\\0\\0\\0%s\\7\\10" "$header" >none.safetensors
tconv --list none.safetensors
try tconv none.safetensors -o out.h5
