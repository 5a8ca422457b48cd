# examples/train-pronounce.sh with a dictionary of a few words: variants, comments, and words that are left out.
cat >cmudict.dict <<EOF
'bout B AW1 T
a AH0
a(2) EY1
abare AA0 B AA1 R IY0
d.c. D IY2 S IY1
hat HH AE1 T
hello HH AH0 L OW1 # a greeting
rat R AE1 T
sound S AW1 N D
three TH R IY1
word W ER1 D
words W ER1 D Z
worlds W ER1 L D Z
thing TH IH1 NG
things TH IH1 NG Z
tree T R IY1
EOF
CMUDICT=cmudict.dict "$EXAMPLES/train-pronounce.sh" trained 1 2>said
grep -h -e '^a	' -e hello trained/*.tsv
