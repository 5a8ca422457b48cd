# attnutils search: passages with file and line, names of any kind, files that are not text, several questions, JSON.
. "$SUPPORT/sentences.sh"
modules Normalize
pooling
export XDG_CACHE_HOME=$PWD/cache ATTNUTILS_MODEL=$PWD/m
mkdir -p notes/.git 'notes/with blank' empty
long=$(printf 'the man went to Paris %.0s' 1 2 3 4 5)
printf '# the woman\n\n%s\n\n\nthe man\tis  \r\nin London\n' "$long" >notes/a.md
i=0
while [ $((i += 1)) -le 12 ]; do echo "line $i $long"; done >notes/long
{ printf 'x %.0s' 1 2 3; head -c 1000 /dev/zero | tr '\0' y; printf ' end\n'; } >'notes/with blank/one "line".txt'
printf '%s\n' 'the man in a\b' >'notes/with blank/two
lines'
echo hidden >notes/.git/config
echo hidden >notes/.hidden
printf 'a\000b\n' >notes/zero.bin
printf 'caf\351\n' >notes/latin-1
printf '\357\273\277na\303\257ve man\n' >notes/utf-8
printf -- '---\n' >notes/dashes
: >notes/nothing
ln -s a.md notes/link

attnutils search --quiet -k 20 notes 'the man' | cut -f 2- | cut -c 1-60 | sort
attnutils search -k 1 notes 'the man is in London' 'naïve man' | cut -f 2,3
# The program of its own, a folder with a slash at its end or a blank, standard input, the folder itself.
printf 'naïve man\n\nthe man is in London\n' | attnutils-search --quiet -k 1 notes/ | cut -f 2,3
attnutils search -k 9 'notes/with blank' 'the man in a\b' | cut -f 2 | sort
(cd notes && attnutils search --quiet -k 1 . 'naïve man' | cut -f 2)
attnutils search -k 1 -- notes --quiet >none 2>message
cat message

# JSON: every line is an object, names and texts are as they are.
attnutils search --quiet --json -k 20 notes 'the "man"' London >lines
python3 - <<'EOF'
import json
rows = [json.loads(line) for line in open('lines')]
print(len(rows), sorted({(r['question'], list(r) == ['question', 'score', 'file', 'line', 'text']) for r in rows}))
print(sorted({r['file'] for r in rows}))
print([r['text'] for r in rows if r['file'].endswith('lines')][0], all(-1.001 < r['score'] < 1.001 for r in rows))
EOF
# Prompts change the vectors of what they stand before.
score() { attnutils search --quiet -k 1 "$@" 'with blank' 'the man in a\b' | cut -f 1; }
cd notes
score
score --question-prompt 'who went to Paris: ' | sed 's/^0\..*/less/'
score --question-prompt 'who: ' --passage-prompt 'who: '

# One line for each mistake.
cd ..
. "$SUPPORT/try.sh"
try attnutils search
try attnutils search nowhere who
try attnutils search lines who
try attnutils search empty who
try attnutils search notes ''
try attnutils search -m nowhere notes who
try attnutils search -m notes notes who
try attnutils search -k 0 notes who
try attnutils search notes who -k
try attnutils search --jsn notes who
ATTNUTILS_MODEL='' try attnutils search notes who
touch file
XDG_CACHE_HOME=$PWD/file try attnutils search notes who | sed "s|$PWD[^:]*|PATH|"
XDG_CACHE_HOME='' HOME='' try attnutils search notes who
# Models that make a vector of each token: what is missing, and what gives one of each text. -k5 is -k 5.
cp -r m plain
rm -r plain/modules.json plain/1_Pooling
cp -r "$CONFORMANCE/models/bert-classify" classifier
cp m/tokenizer.json classifier
mkdir few
printf 'the man is in Paris\n' >few/a
try attnutils search -m plain few who
try attnutils search -m classifier few who
try attnutils search -m plain --pool middle few who
for model in plain classifier; do try attnutils search --quiet -m $model --pool mean -k1 few 'the man is in Paris'; done
found() { attnutils search --quiet "$@" few who | cut -c 1-4; } # scores; half precision moves the third digit
found -m m >in-folder
found -m plain --pool mean | cmp - in-folder && echo "mean: as the folder of sentence-transformers says"
found -m plain --pool=max | cmp -s - in-folder || echo "max: another"
# A passage that is longer than the model reads is said to be cut, once.
{ printf 'the man is in Paris %.0s' 1 2 3 4 5 6 7 8 9 10 && echo; } >few/long
try attnutils search -k1 few 'the man'
try attnutils search -k1 few "$(cat few/long)" 'the man' | cut -c 1-80
