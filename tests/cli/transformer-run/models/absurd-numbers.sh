# What no machine could hold is refused, with the bytes it would take; numbers that only look absurd are what they mean:
# as much as there is.
d=$EXAMPLES/dates
for options in "--beams 10000000000000" "--beams 18446744073709551615" "--sample --num-return 10000000000000"; do
  timeout 20 transformer-run -m "$d" $options "3 mars 2021" 2>message && echo "no error" || echo $?
  sed "s|$d|dates|; s/[0-9][0-9]* bytes of memory, [0-9]* are/N bytes of memory, M are/" message
done
timeout 20 transformer-run -m "$d" --beams 1000000 --max-memory 1G "3 mars 2021" 2>message || echo $?
sed "s|$d|dates|; s/[0-9][0-9]* bytes of memory, [0-9]* are/N bytes of memory, M are/" message
transformer-run -m "$d" --max-new-tokens 1000000000000000000 --batch 1000000000000000000 "3 mars 2021"
# Batches shrink until they fit; the answers stay.
head -n 40 "$d/heldout.tsv" | cut -f 1 >lines
transformer-run -m "$d" --beams 4 <lines >all
transformer-run -m "$d" --beams 4 --batch 40 --max-memory 8M <lines | cmp - all
# More layers than the weights have are found out at once, however many.
cp -r "$CONFORMANCE/models/bart" deep
chmod -R u+w deep
sed -i 's/"\(encoder\|decoder\)_layers": *[0-9]*/"\1_layers": 4096/' deep/config.json
timeout 10 transformer-run -m deep --list 2>&1 || echo $?
