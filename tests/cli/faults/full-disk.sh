# A disk that fills up: 74, one line, and no file, also where the limit is on the size of files.
(ulimit -f 100; tconv linspace=0,1,1000000 -o out.h5) && echo "no error" || echo $?
(ulimit -f 100; tconv linspace=0,1,1000000 -O csv -o out.csv) && echo "no error" || echo $?
tconv linspace=0,1,1000000 -O csv >/dev/full && echo "no error" || echo $?
ls -A
