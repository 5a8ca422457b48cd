# An empty value, as an unset variable of the shell gives, is a mistake wherever something is named or counted.
. "$SUPPORT/try.sh"
unset nothing
ln -s "$EXAMPLES/dates" .
tconv 2=1,2 -o x.h5
exec <x.h5  # which is not read in place of what is empty
try linear 1x2=1,2 -w 2x2=1,0,0,1 -b "${nothing-}" -O csv
try linear 1x2=1,2 -w ""
try softmax 3=1,2,3 --mask ""
try softmax ""
try softmax --slab input=
try softmax --check ""
try softmax --axis ""
try tokenize -m dates ""
try attend -q 1x2=1,2 -k 1x2=1,2 -v 1x2=1,2 --valid-lens ""
try nwreg -x 3=1,2,3 -y 3=1,2,4 --bandwidth 1 --plot ""
try nwreg -x 3=1,2,3 -y 3=1,2,4 --bandwidth ""
try transformer-run -m dates --ids ""
try transformer-run -m dates --trace "" "3 mars 2021"
try tplot -o ""
try tconv x.h5 -o ""
try tconv ""
try tdiff x.h5 ""
tplot x.h5 --title "" -o x.svg  # a text may be empty
ls
