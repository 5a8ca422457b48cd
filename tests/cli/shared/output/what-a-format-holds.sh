# Results that the output's format cannot hold together are a mistake of the options, whatever the format is.
tconv 2=1,2 -o x.h5:/x
tconv 3=3,4,5 -A -o x.h5:/other
tconv str=a,b -A -o x.h5:/words
for format in npy csv tsv; do
  for run in '' -n; do
    # shellcheck disable=SC2086
    softmax x.h5:/x --keep other -O $format $run 2>&1 || echo $?
  done
done
for format in npy safetensors; do tconv x.h5:/words -O $format -o y 2>&1 || echo $?; done
