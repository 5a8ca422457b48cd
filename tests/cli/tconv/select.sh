# --select chooses among all inputs, also those that are one tensor.
. "$SUPPORT/try.sh"
tconv 2=1,2 --no-history -o a.h5:/y
tconv 1=3 --no-history -A -o a.h5:/st
select() { tconv "$@" -O csv; }
try select 3=1,2,3 --select q
try select 3=1,2,3 --select y
try select a.h5:/y --select nope
try select 'a.h5:/y[1:]' --select nope
try select a.h5:/y --select 'y*'
try select a.h5:/typo a.h5 --select st
try select a.h5:/y a.h5 --select st

# A slash in front of a pattern says nothing. Of names that begin with one, both forms find one.
try select a.h5 --select /st
try tconv --list a.h5 --select '/s?'
header='{"/st":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"y":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}}'
# shellcheck disable=SC2059
printf "\\$(printf %03o ${#header})\\0\\0\\0\\0\\0\\0\\0%s\\7\\10" "$header" >a.safetensors
for pattern in st /st '?t' '/?t'; do
  try select a.safetensors --select "$pattern"
  softmax a.safetensors:/y --keep "$pattern" -f -o kept.safetensors
  tconv --list kept.safetensors | grep -v '@\|^y'
done

# Patterns are those of fnmatch(3); a name that is spelled out is itself.
tconv 1=1 --no-history -o g.h5:/q0
for name in q1 q2 k0 layer/q 'w[0][]' w0; do tconv 1=1 --no-history -A -o g.h5:/"$name"; done
for pattern in 'q[01]' 'q[!0]' '[k-q][0-9]' '*q' 'w[0]' 'w\[0\]' '[[:alpha:]]0' '?0'; do
  echo "$pattern: $(tconv --list g.h5 --select "$pattern" | sed 's/ .*//' | tr '\n' ' ')"
done
