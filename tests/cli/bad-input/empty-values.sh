# An empty value, as an unset variable of the shell gives, is a mistake wherever something is named or counted.
unset nothing
tconv 2=1,2 -o x.h5
refused() {
  code=0
  "$@" <x.h5 >out 2>&1 || code=$?
  [ $code -eq 2 ] || echo "$*: exit code $code"
  cat out
}
refused linear 1x2=1,2 -w 2x2=1,0,0,1 -b "${nothing-}" -O csv
refused linear 1x2=1,2 -w ""
refused softmax 3=1,2,3 --mask ""
refused softmax ""
refused softmax --slab input=
refused softmax --check ""
refused softmax --axis ""
refused tokenize -m "$EXAMPLES/dates" ""
refused attend -q 1x2=1,2 -k 1x2=1,2 -v 1x2=1,2 --valid-lens ""
refused nwreg -x 3=1,2,3 -y 3=1,2,4 --bandwidth 1 --plot ""
refused nwreg -x 3=1,2,3 -y 3=1,2,4 --bandwidth ""
refused transformer-run -m "$EXAMPLES/dates" --ids ""
refused transformer-run -m "$EXAMPLES/dates" --trace "" "3 mars 2021"
refused tplot -o ""
refused tconv x.h5 -o ""
refused tconv ""
refused tdiff x.h5 ""
tplot x.h5 --title "" -o x.svg  # a text may be empty
rm out
ls
