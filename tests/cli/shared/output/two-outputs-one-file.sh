# Two outputs are refused where one would take the place of the other, however the file is spelled.
ln -s made.h5 one.h5
ln -s made.h5 two.png
refused() { echo "$@"; if "$@" 2>message; then echo "exit 0"; else echo "exit $?"; fi; grep -o "one file; give two$\|of which one would be lost.*" message; }
refused transformer-run -m "$EXAMPLES/dates" --trace ./made.h5 -o made.h5 "3 mars" | sed "s|$EXAMPLES/||"
refused transformer-run -m "$EXAMPLES/dates" --trace made.h5 -o one.h5 -f "3 mars" | sed "s|$EXAMPLES/||"
refused transformer-run -m "$EXAMPLES/dates" --trace made.txt -o "$PWD/made.txt" "3 mars" | sed "s|$EXAMPLES/||; s|$PWD/||"
cp "$EXAMPLES/cars.csv" .
refused nwreg -x cars.csv:/speed -y cars.csv:/dist --bandwidth 2 --plot two.png -o made.h5
refused nwreg -x cars.csv:/speed -y cars.csv:/dist --bandwidth 2 --plot p.png --plot-weights ./p.png -o n.h5
ls
