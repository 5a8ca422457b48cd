# Nothing on standard input.
attend </dev/null
