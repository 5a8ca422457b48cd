# Writers that add to one file at once, to one that is there and to one that none of them found there: each adds what
# it has, whoever comes between, and the history tells of all.
race() { # options of the writers
  for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
    (tconv $((20000 * i))=$i -A "$@" -o out.h5:/d$i || echo "d$i: exit $?") 2>&1 &
  done
  wait
  for i in 1 2 3 4 5 6 7 8 9 10 11 12; do tdiff out.h5:/d$i $((20000 * i))=$i; done
  tconv --list out.h5 | grep -c 'tconv [0-9]*='
}
tconv 1=0 -o out.h5:/start
race
tdiff out.h5:/start 1=0
for force in '' -f; do
  rm -f out.h5
  race $force
done
ls -A | grep tmp || true
# One that comes between for certain: the file is not there when the reader of the pipe begins, or is another.
mkfifo pipe
between() { # what comes between, options of the appender
  tconv 2=5 --replace-file -o late.h5:/old
  timeout 20 tconv pipe -A ${2:-} -o late.h5:/mine 2>errors &
  timeout 20 sh -c "sleep 0.3; $1; tconv 2=1" >pipe
  code=0
  wait $! || code=$?
  echo "$1: $code $(cat errors)"
  tconv --list late.h5 2>&1 | grep '^[a-z]'
}
between 'tconv 2=2 -A -o late.h5:/theirs'
between 'tconv 2=2 --replace-file -o late.h5:/theirs'
between 'rm late.h5'
between 'tconv 2=2 -A -o late.h5:/mine'
between 'tconv 2=2 -A -o late.h5:/mine' -f
between 'echo no tensor >late.h5'
