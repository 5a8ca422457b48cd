# SOURCE_DATE_EPOCH is the time in the history; what is no time is refused, not written.
SOURCE_DATE_EPOCH=253402300799 tconv 1 -o last.h5
tconv --list last.h5 | head -n 1
for epoch in 253402300800 -5 99999999999999999 99999999999999999999 today; do
  code=0
  SOURCE_DATE_EPOCH=$epoch tconv 1 -o x.h5 || code=$?
  [ $code -eq 2 ] || echo "$epoch: exit code $code"
  [ ! -e x.h5 ]
done
