# A line that is written to a pipe is answered before the next one comes: the next is written only then.
answered() {
  mkfifo ask answer
  "$@" <ask >answer &
  exec 3>ask 4<answer
  for line in "3 mars 2021" "1 May 1999"; do
    echo "$line" >&3
    read -r answer <&4
    echo "$answer"
  done
  exec 3>&- 4<&-
  wait
  rm ask answer
}
answered timeout 60 tokenize -m "$EXAMPLES/dates"
answered timeout 60 tokenize -m "$EXAMPLES/dates" --json
answered timeout 60 transformer-run -m "$EXAMPLES/dates"
