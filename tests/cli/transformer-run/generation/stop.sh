# An answer ends before the first stop text.
transformer-run -m "$EXAMPLES/dates" --stop -03 --stop , "3 mars 2021"
transformer-run -m "$EXAMPLES/dates" --stop - "3 mars 2021"
# Stop texts are taken whole, commas and all.
transformer-run -m "$EXAMPLES/dates" --stop , --stop -03 "3 mars 2021"
# So does one that generation_config.json has stop texts for, unless others are given.
cp -R "$EXAMPLES/dates" m
echo '{"stop_strings": ["1-"], "eos_token_id": 2}' >m/generation_config.json
transformer-run -m m "3 mars 2021"
transformer-run -m m --stop - "3 mars 2021"
transformer-run -m m -O csv "3 mars 2021" 2>&1 | head -n 1
# Beams end there too, like at an end token: the likeliest one has the score of the greedy search.
transformer-run -m "$EXAMPLES/dates" --stop - --json "3 mars 2021" >greedy
transformer-run -m "$EXAMPLES/dates" --stop - --json --beams 2 --length-penalty 0 "3 mars 2021" | cmp - greedy
