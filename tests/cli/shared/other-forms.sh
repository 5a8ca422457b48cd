# What other programs take for an operand is no file here: the error has the form that is meant, and that form works.
printf 'x,y\n1,2\n2,3\n3,5\n' >p.csv
follow() { # the remedy of `tconv OPERAND`, run, and its first and last number
  tconv "$1" -o n.h5 2>errors && echo "$1: not refused" && return
  cat errors
  meant=$(sed -n "s/.*did you mean '*\([^'?]*\)'*?.*/\1/p" errors | sed 's/, or without.*//')
  [ -z "$meant" ] || tconv "$meant" -O csv | grep -v "^#" | tail -n +2 | tr '\n' ' ' | sed 's/^\([^ ]*\) .* \([^ ]*\) $/  \1 ... \2/'
  echo
}
# Ranges, counted in decimals.
for range in 0:5:0.1 0:0.1:5 'seq(0,5)' 1e3:2e3 5:0 5:-1:0 -5:0.1:5 -5:5:0.1 0:5:0.3 'np.arange(0,5,0.1)' 'range(1,5)' \
  'np.linspace(0,1,11)' 'seq(0,5,by=0.5)' 'seq(0,1,length.out=6)' '{0..5}' 0..10..2 0.1:0.9 0:1e9 \
  0:4 5-25 linspace:0,5,3 logspace=0,2,3; do follow "$range"; done
# Lists.
for list in 1,2,3 '[1, 2, 3]' '1 2 3' '[1 2; 3 4]' '[[1,2],[3,4]]' '[[1,2,3],[4]]' 'c(5,10)' 'np.array([[1,2],[3,4]])' h=2 9007199254740993,2; do follow "$list"; done
# Parts of files.
for part in p.csv:x p.csv::/x 'p.csv[y]' "p.csv['y'][0:2]" p.csv:0:2 p.csv/x 'p.csv#y' p.csv/; do follow "$part"; done
# What is no file of this machine.
for name in https://example.org/a.csv s3://bucket/run.h5:/q '~/a.csv' 'a*.csv'; do follow "$name"; done
follow "file://$PWD/p.csv" 2>&1 | sed "s|$PWD|PWD|g"
for name in s3://bucket/y.h5 '~/y.h5' none/y.h5; do tconv 1 --output="$name" 2>&1 || echo "exit code $?"; done
# A file alone, where columns are named with options.
nwreg p.csv 2>&1 || echo "exit code $?"
nwreg -x x -y y 2>&1 || echo "exit code $?"
