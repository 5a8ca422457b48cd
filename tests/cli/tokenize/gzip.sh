# Text that is compressed is named as such, in a file and in a pipe.
printf '3 March 2021\n' | gzip -n >lines.txt.gz
for options in "" --decode --json-lines; do
  tokenize -m "$EXAMPLES/dates" $options lines.txt.gz || echo $?
done
transformer-run -m "$EXAMPLES/dates" <lines.txt.gz || echo $?
