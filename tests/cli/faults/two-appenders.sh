# Writers that add to one file at once, to one that is there and to one that none of them found there: each adds what
# it says it added, or is refused, and nothing is lost.
race() { # options of the writers
  rm -f done.* failed.*
  for i in 1 2 3 4 5 6 7 8; do
    (if tconv 300000=$i -A "$@" -o out.h5:/d$i 2>errors.$i; then echo d$i >done.$i; else echo $? >failed.$i; fi) &
  done
  wait
  for i in 1 2 3 4 5 6 7 8; do
    if [ -e done.$i ]; then
      tdiff out.h5:/d$i 300000=$i
    else
      [ "$(cat failed.$i)" = 73 ] || echo "exit code $(cat failed.$i)"
      grep -qx 'tconv: out.h5: was changed by another writer meanwhile; run it again' errors.$i || cat errors.$i
    fi
  done
}
tconv 1=0 -o out.h5:/start
race
tdiff out.h5:/start 1=0
for force in '' -f; do
  rm -f out.h5
  race $force
done
ls -A | grep tmp || true
# One that comes between for certain: the file is not there when the reader of the pipe begins.
mkfifo pipe
for force in '' -f; do
  rm -f late.h5
  tconv pipe -A $force -o late.h5:/mine 2>errors &
  {
    sleep 0.3
    tconv 2=2 -o late.h5:/theirs
    tconv 2=1
  } >pipe
  code=0
  wait $! || code=$?
  echo "$code $(cat errors)"
  tdiff late.h5:/theirs 2=2
done
