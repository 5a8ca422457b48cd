# -O and the suffix decide the format; every format reads back as the same values.
. "$SUPPORT/stages.sh"
body() {
  rm -f out.*
  stage_on x.h5 -o out.h5
  for format in csv tsv npy safetensors h5; do
    delim='' plain=''
    [ $format != tsv ] || delim='--delim \t'
    case $format in safetensors | h5) plain=--no-history ;; esac
    # shellcheck disable=SC2086
    stage_on x.h5 -O $format | tdiff - out.h5 $delim || complain "-O $format reads back differently"
    stage_on x.h5 -f -o out.$format
    # shellcheck disable=SC2086
    stage_on x.h5 -O $format $plain | cat >piped
    # shellcheck disable=SC2086
    stage_on x.h5 -f -o out.$format $plain
    cmp piped out.$format || complain "-O $format is not what the suffix gives"
  done
  code=0
  stage_on x.h5 -O picture 2>errors || code=$?
  [ $code -eq 2 ] || complain "-O picture: exit code $code"
}
for_each_stage body
