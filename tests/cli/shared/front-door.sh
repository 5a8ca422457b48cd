# attnutils alone lists every tool; with a name it becomes that tool, in all that is said and written.
export COLUMNS=120
attnutils >list
for source in "$SUPPORT"/../../tools/*.cpp; do
  tool=$(basename "$source" .cpp)
  [ "$(awk -v tool="$tool" '$1 == tool { sub(/^ *[^ ]+ +/, ""); print }' list)" = "$("$tool" --help | sed -n '1s/^[^:]*: //p')" ] || echo "$tool"
done
softmax 2=1,1 -o a.h5
attnutils softmax 2=1,1 -o b.h5
cmp a.h5 b.h5
echo 1,2 | attnutils softmax -O csv
for arguments in "softmx" "--vjp" "softmax --vjp" "softmax missing.h5"; do
  # shellcheck disable=SC2086
  attnutils $arguments || echo "$?"
done
attnutils --version | sed 's/[0-9].*/VERSION/'
