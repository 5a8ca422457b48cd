# Options that contradict each other are mistakes.
try() { echo '12 4' | tokenize -m "$EXAMPLES/dates" "$@" 2>&1 || echo "exit $?"; }
try --truncation only-second --max-length 3
try --pair --json-lines
try --json -O csv
try --tokens -O csv
