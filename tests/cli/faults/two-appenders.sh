# Writers that add to one file at once: each adds what it says it added, or is refused, and nothing is lost.
tconv 1=0 -o out.h5:/start
for i in 1 2 3 4 5 6 7 8; do
  (if tconv 300000=$i -A -o out.h5:/d$i 2>errors.$i; then echo d$i >done.$i; else echo $? >failed.$i; fi) &
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
tdiff out.h5:/start 1=0
ls -A | grep tmp || true
