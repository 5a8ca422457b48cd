# On a terminal the answer appears piece by piece, as it is, and ends as the one in a pipe; elsewhere in one piece.
command -v script >/dev/null || { echo "script (bsdutils) is not installed" >&2; exit 77; }
cp -R "$EXAMPLES/dates" m
sed 's/"-": 6/"\\n": 6/' "$EXAMPLES/dates/tokenizer.json" >m/tokenizer.json
on_terminal() { script -qec "$1" -T timing /dev/null </dev/null | tr -d '\r' >shown; }
on_terminal "transformer-run -m m '3 mars 2021'"
printf '2021\n03\n03\n' | cmp - shown
# A stop text that comes in several tokens is not shown even in part.
on_terminal "transformer-run -m '$EXAMPLES/dates' --stop -03-03 '3 mars 2021'"
printf '2021\n' | cmp - shown
on_terminal "transformer-run -m '$EXAMPLES/dates' --stop 1-0 --stop 21-x '3 mars 2021'"
printf '202\n' | cmp - shown
# What several searches find comes at once, in one line.
on_terminal "transformer-run -m m --beams 2 '3 mars 2021'"
printf '2021\\n03\\n03\n' | cmp - shown
# Each piece is written when it is known: the terminal sees more than one write, unless the machine is too busy. The
# reference engine takes its time, so that the terminal has some between two of them.
for _ in 1 2 3 4 5 6 7 8 9 10; do
  on_terminal "transformer-run -m m --engine reference '3 mars 2021'"
  if [ "$(wc -l <timing)" -gt 1 ]; then exit 0; fi
done
echo "the answer never came in pieces"
