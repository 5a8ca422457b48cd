# A command with line ends and control characters is one line of the history, which bash reads back as it was.
command -v bash >/dev/null || { echo "bash is not installed" >&2; exit 77; }
word="$(printf "it's a\\\\b\nsecond line\ttab\033")"
tconv "2xstr=$word,z" -o a.h5
tconv --list a.h5
command=$(tconv --list a.h5 | sed -n 's/^@history = \(.*\)  (attnutils .*/\1/p')
bash -c "$command -o b.h5"
cmp a.h5 b.h5
