# Pictures as Pillow decodes them: grey, colour, palette, transparency, PNG and JPEG; expected.h5 comes from make.py.
for file in rgb.png grey.png wide/grey.png palette.png clear.png colour.jpg grey.jpg; do
  tdiff "$TESTDIR/$file" "$TESTDIR/expected.h5:/pixels/$file"
done
