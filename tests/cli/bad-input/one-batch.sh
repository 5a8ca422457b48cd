# A stream into what holds one batch: nothing is written, not the first batch either.
tconv 2=1,2 -o a.h5
cp a.h5 there.h5
for target in '-O csv' '-O safetensors' '-A -o there.h5:/z'; do
  code=0
  # shellcheck disable=SC2086
  cat a.h5 a.h5 | tconv - $target || code=$?
  echo "exit code $code"
done
cmp a.h5 there.h5
