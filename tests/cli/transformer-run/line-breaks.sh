# Line breaks and tabs inside an answer are written \n, \r and \t: a line of output for each line of input, a field for
# each answer. On a terminal an answer that grows is shown as it is.
cp -R "$EXAMPLES/dates" m
transformer-run -m m --num-return 2 --beams 2 "3 mars 2021" | tr '\t' '\n' | wc -l
for break in n r t; do
  sed "s/\"-\": 6/\"\\\\$break\": 6/" "$EXAMPLES/dates/tokenizer.json" >m/tokenizer.json
  transformer-run -m m "3 mars 2021"
  transformer-run -m m "3 mars 2021" -o y.h5 -f
  tokenize -m m --decode --ids y.h5
done
