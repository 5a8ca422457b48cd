# Names of a text longer than the model, which is read in windows: of the tokens that windows share, each has the label
# of the window with more text around it. By hand: windows of tokenize, their probabilities, and those in the middle.
cp -R "$CONFORMANCE/models/bert-tokens" m
cp "$FIXTURES/words/tokenizer.json" m
yes 'the man is in Paris and the woman went to London' | head -n 9 | paste -sd ' ' - >text
transformer-run -m m <text 2>&1 | tr '\t' '\n' | paste -d '|' - - - | tail -n 3
# Windows of 12 tokens share 6: 10 of the text, of which 6 are new. Three tokens at the ends are another window's.
tokenize -m m --max-length 12 --overlap 6 -o windows.h5 text
transformer-run -m m --ids windows.h5:/ids --attention-mask windows.h5:/mask -o logits.h5
softmax logits.h5 -O csv --no-header >all
windows=$(tconv --list windows.h5 | sed -n 's/.*lines *(\([0-9]*\).*/\1/p')
awk -F, -v last="$windows" '{
  w = int((NR - 1) / 12) + 1; i = (NR - 1) % 12
  if (i == 0 || (w > 1 && i < 4) || (w < last && i > 7)) next
  m = 1; for (k = 2; k <= 3; ++k) if ($k > $m) m = k
  print m
}' all >by-hand
transformer-run -m m --max-length 12 --json <text | tr '{' '\n' | sed -n 's/.*"text":"\([^"]*\)","label":"\([a-z]*\)".*/\2 \1/p' |
  awk '{
    l = $1 == "negative" ? 1 : $1 == "neutral" ? 2 : 3; for (i = 2; i <= NF; ++i) print l
  }' >found
head -n "$(wc -l <found)" by-hand | diff found - && wc -l <found
# Without windows such a line is an error.
transformer-run -m m --max-length 0 <text 2>&1 || echo $?
