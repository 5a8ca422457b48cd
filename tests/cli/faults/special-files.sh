# FIFOs, /dev/fd/N and process substitution work wherever a file does.
mkfifo pipe
tconv 3=1,2,3 >pipe &
tdiff pipe 3=1,2,3
wait
tconv 3=1,2,3 | tdiff /dev/stdin 3=1,2,3
tconv 3=1,2,3 | tdiff /dev/fd/0 3=1,2,3
tconv 2=1,2 -o a.h5:/a
tconv 2=3,4 -A -o a.h5:/b
cat a.h5 | tdiff -:/a -:/b >/dev/null || echo differ
bash -c 'tdiff <(tconv a.h5:/a) <(tconv a.h5:/a)'
tconv 3=1,2,3 -o pipe &
tdiff pipe 3=1,2,3
wait
