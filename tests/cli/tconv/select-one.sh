# --select chooses among all inputs, also those that are one tensor; a slash in front of a pattern says nothing.
tconv 2=1,2 -o a.h5:/y
tconv 1=3 -A -o a.h5:/st
try() { tconv "$@" || echo "exit code $?"; }
try 3=1,2,3 --select q -O csv
try 3=1,2,3 --select y -O csv
try a.h5:/y --select nope -O csv
try 'a.h5:/y[1:]' --select nope -O csv
try a.h5:/y --select 'y*' -O csv
try a.h5:/typo a.h5 --select st -O csv
try a.h5:/y a.h5 --select st -O csv
try a.h5 --select /st -O csv
tconv --list a.h5 --select '/s?' | grep '^s'
# Of names that begin with a slash both forms find one.
header='{"/st":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"y":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}}'
# shellcheck disable=SC2059
printf "\\$(printf %03o ${#header})\\0\\0\\0\\0\\0\\0\\0%s\\7\\10" "$header" >a.safetensors
for pattern in st /st '?t' '/?t'; do
  echo "$pattern"
  try a.safetensors --select "$pattern" -O csv
  softmax a.safetensors:/y --keep "$pattern" -f -o kept.safetensors
  tconv --list kept.safetensors | grep -v '@\|^y'
done
