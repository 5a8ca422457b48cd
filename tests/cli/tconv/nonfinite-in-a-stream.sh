# --fail-on-nonfinite behind a finite batch: what went into a pipe is out, a file is not made.
tconv 2=1 -o finite.h5
tconv 2=nan -o nan.h5
cat finite.h5 nan.h5 >stream.h5
for name in stream nan; do
  tconv - --fail-on-nonfinite <$name.h5 2>errors | cat >$name.out
  cat errors
done
tdiff stream.out finite.h5
[ ! -s nan.out ] || echo "a NaN went into the pipe"
code=0
tconv - --fail-on-nonfinite -o out.h5 <stream.h5 2>errors || code=$?
echo "$code $(cat errors)"
[ ! -e out.h5 ] || echo "out.h5 was made"
