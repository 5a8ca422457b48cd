# Operands and tables that mean nothing, or two things, are refused with what would be right.
refused() { tconv "$@" -O csv 2>&1 && echo "not refused: $*" || echo "$? of $*"; }
refused 2=9007199254740993,0.5
refused linspace=0,1
refused linspace=0,1,x
refused linspace=0,inf,3
refused linspace=0,1,134217729
refused 2x=1
refused 2x3=1,2
refused 2xf65=1,2
refused ''
refused a://x
refused https://example.org/x.h5
printf 'a,b\n1,2\n' >t.csv
refused t.csv:/c
refused t.csv:/2
refused t.csv[2]
refused t.csv[-2]
refused 't.csv[0:1:0]'
refused 't.csv[0,0,0]'
printf 'a\n"open\n' >open.csv
refused open.csv
printf 'a,b\n1,2\n3\n' >short.csv
refused short.csv
printf 'a\nword\n7\n' >words.csv
refused words.csv --dtype f64
tconv 2x2x2=1 -o three.h5:/x
tconv 2=1,2 -A -o three.h5:/y
tconv 3=1,2,3 -A -o three.h5:/z
refused three.h5
tconv three.h5 -f -o all.csv 2>&1 || echo $?
tconv three.h5 -f -o all.npy 2>&1 || echo $?
printf 'a\nword\n' | tconv -o words.npy 2>&1 || echo $?
