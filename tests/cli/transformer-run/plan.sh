# What a run will cost is known before it computes, and held against --max-memory.
transformer-run -m "$EXAMPLES/dates" -n "3 mars 2021" | grep -c '^[a-z]*  [0-9]* [A-Zb]'
transformer-run -m "$EXAMPLES/dates" --max-memory 1M "3 mars 2021" 2>&1 || echo $?
