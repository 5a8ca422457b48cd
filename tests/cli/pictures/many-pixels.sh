# A picture that claims more pixels than Pillow opens is refused first, unless --max-memory allows them.
# A PNG of 20000 x 20000 pixels, cut off behind its first bytes, and the same size in the header of a JPEG.
printf '\211PNG\r\n\032\n\000\000\000\015IHDR\000\000N \000\000N \001\000\000\000\000\313\013\173\224\000\000\000\014IDAT' >large.png
pictures=$EXAMPLES/../tests/conformance/image
at=$(LC_ALL=C grep -abo "$(printf '\377\300')" "$pictures/grey.jpg" | head -n 1 | cut -d: -f1)
{ head -c $((at + 5)) "$pictures/grey.jpg"; printf 'N N '; tail -c +$((at + 10)) "$pictures/grey.jpg"; } >large.jpg
for file in large.png large.jpg; do
  for limit in 0 100M; do tconv --list $file --max-memory $limit || echo $?; done
done
tconv --list large.png --max-memory 2G || echo $?
# Texts that expand a thousandfold are not read, and a picture has no more scans than a picture needs.
corpus=$EXAMPLES/../tests/fuzz/corpus/picture
tail -c +34 "$corpus/text.png" | head -c 7705 >text
{ head -c 33 "$corpus/text.png"; for i in $(seq 300); do cat text; done; tail -c +$((34 + 7705)) "$corpus/text.png"; } >texts.png
timeout 10 tconv --list texts.png
tconv --list "$corpus/scans.jpg" 2>&1 | sed 's/.*: is/is/'
