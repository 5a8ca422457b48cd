# attnutils search computes only what is new, notices what was changed, moved or deleted, and another model; searches at
# the same time, and those that fail, leave the cache whole.
. "$SUPPORT/sentences.sh"
modules Normalize
pooling
export XDG_CACHE_HOME=$PWD/cache ATTNUTILS_MODEL=$PWD/m
# A transformer-run that counts the lines of which vectors are computed.
mkdir bin notes
for tool in "$BUILD"/bin/*; do ln -s "$tool" bin; done
rm bin/transformer-run bin/attnutils-search
cp "$BUILD/bin/attnutils-search" bin
cat >bin/transformer-run <<END
#!/bin/sh
case " \$* " in *" --resume "*) echo resumable >>"$PWD/computed" ;; esac
tee "$PWD/read" | "$BUILD/bin/transformer-run" "\$@" || exit
wc -l <"$PWD/read" | tr -d ' ' >>"$PWD/computed"
END
chmod +x bin/transformer-run
search() { # prints how many questions and passages were computed, and keeps what was found
  : >computed
  bin/attnutils-search --quiet -k 20 "$@" notes 'the man in Paris' >found
  paste -s -d ' ' computed
}
shown() { cut -f 2- found | cut -c 1-20 | sort; }
text() { printf '%s went to Paris and to London, and is in Paris again; the man and the woman are in London\n' "$1"; }
text one >notes/1
{ text two && echo && text three; } >notes/2
text four >notes/4
echo "first"
search
echo "again"
search
echo "one paragraph of two is another, a file is new, one is deleted"
{ text two && echo && text drei; } >notes/2
text five >notes/5
rm notes/4
search
shown
echo "moved"
mv notes/5 notes/3
search
shown
echo "same size and time, another text"
touch -r notes/1 stamp
text eno >notes/1
touch -r stamp notes/1
search
shown | head -n 1
echo "what is found without a cache is the same"
mv found kept
XDG_CACHE_HOME=$PWD/other search
cmp found kept
echo "prompts, and another model"
search --passage-prompt 'who '
cp -R m n
search -m n
search --passage-prompt 'who '
sed -i 's/"gelu"/"relu"/' m/config.json
search
search
echo "another folder's index under the same name"
for file in cache/attnutils/search/*/index.*/key; do echo other >"$file"; done
search
echo "at the same time"
rm -r cache
for i in 1 2 3 4; do (bin/attnutils-search --quiet -k 9 notes 'the man in Paris' >"found-$i") & done
wait
for i in 1 2 3 4; do cmp found found-$i; done
find cache -name 'index.*' | wc -l
find cache -name 'run.*' | wc -l
echo "a failure leaves the cache as it was, and nothing on standard output"
text six >notes/6
printf '#!/bin/sh\ncase " $* " in *" --concat "*) exit 74 ;; esac\nexec "%s" "$@"\n' "$BUILD/bin/tconv" >bin/tconv.new
chmod +x bin/tconv.new
mv bin/tconv.new bin/tconv
bin/attnutils-search --quiet notes who || echo "exit code $?"
rm bin/tconv notes/6
ln -s "$BUILD/bin/tconv" bin
search
cmp found found-1
echo "after each change, scores, places and texts are those of a cache that was made at once"
rm -r cache notes
mkdir notes
same() { # WHAT: as changed since the last call
  search --json >counts
  mv found kept
  rm -rf "$PWD/other"
  XDG_CACHE_HOME=$PWD/other search --json >counts
  if cmp found kept; then echo "$1: $(wc -l <found) lines"; else diff found kept; fi
}
paragraph() { text "$1" && echo; } # WORD
paragraph 'one of m' >notes/m
paragraph 'one of p' >notes/p
search >counts
paragraph 'the first' >notes/a && same "a first file"
paragraph 'the middle' >notes/n && same "one in the middle"
paragraph 'the last' >notes/z && same "the last"
paragraph 'another' >notes/n && same "edited"
paragraph 'appended' >>notes/m && same "a paragraph appended"
{ paragraph 'put before' && cat notes/p; } >p && mv p notes/p && same "one put before"
rm notes/n && same "deleted"
mv notes/z notes/b && same "renamed to another place"
cp notes/m notes/c && same "copied: each text once"
rm notes/m && same "the copy is left"
paragraph 'new and first' >notes/1 && rm notes/b && paragraph 'more' >>notes/a && mv notes/c notes/x && same "several at once"
touch notes/* && same "only times"
echo "many new passages are computed so that a run that is cut short goes on"
seq 1100 | sed 's/.*/the man & is in Paris, and the woman & went to London and to Paris, and & is the number of both\n/' >notes/many
search
ls cache/attnutils/search/*/ | sed 's/\..*//'
