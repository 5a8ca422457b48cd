# An option that would do nothing is a mistake.
try() { echo '12 4' | tokenize -m "$EXAMPLES/dates" "$@" 2>&1 || echo "exit $?"; }
try --decode --max-length 1
try --decode --offsets
try --decode --no-special
try --truncation only-second --max-length 3
try --pad-to 9
try --padding-side left
try --keep-special
try --decode --pair
try --decode --tokens
try --decode --ids 1x2xi64=12,4 lines.txt
try --decode --ids 1x2xi64=12,4 --on-error skip
try --pair --json-lines
try --json --tokens
try --json -O csv
try --tokens -O csv
try --truncation-side left
try --truncation only-first --max-length 0
# The vocabulary takes no text and shows all there is.
try --list --decode
try --list --tokens
try --list --max-length 3
try --list --on-error skip
try --list lines.txt
