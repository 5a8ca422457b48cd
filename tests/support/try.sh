# Sourced by tests whose output is a transcript: what was run, and all that came of it.
# try COMMAND...: prints the command, its standard error, its standard output after bars, the exit code if it is not 0,
# and the names of all files if the command made one or removed one.
try() (
  files=$(ls -A) code=0
  printf '\n$'
  for word; do
    case $word in
      *\'*) printf ' "%s"' "$word" ;;
      *[!A-Za-z0-9_./:,=%+-]* | '') printf " '%s'" "$word" ;;
      *) printf ' %s' "$word" ;;
    esac
  done
  echo
  "$@" 2>&1 >../printed || code=$?
  sed 's/^/| /' ../printed
  [ $code -eq 0 ] || echo "exit $code"
  # shellcheck disable=SC2046
  [ "$(ls -A)" = "$files" ] || echo files: $(ls -A)
)
