# Pictures and a video from their files: logits as transformers has them, whose pixel values are rounded to f32 in between.
images=$TESTDIR/../image
cp -R "$TESTDIR/vit-classify" vit
cp -R "$TESTDIR/timesformer-divided-space-time" timesformer
set -- "$images/colour.jpg" "$images/grey.png" "$images/palette.png" "$images/rgb.png"

# Logits are as large as 20, an error of the pixels of 1e-7 grows to that of 50 roundings.
transformer-run -m vit --dtype f64 -o y.h5 "$@"
tdiff y.h5 "$TESTDIR/pictures.h5:/pictures" --rtol 0 --atol 5e-6
mkdir frames
cp "$@" frames
transformer-run -m timesformer --dtype f64 -o v.h5 frames
tdiff v.h5 "$TESTDIR/pictures.h5:/video" --rtol 0 --atol 5e-6

# Lines: labels of each; the same from names on standard input, from a pipe of pictures, and from tensors of pixels.
transformer-run -m vit --best 2 "$@" | tee lines
printf '%s\n' "$@" | transformer-run -m vit --best 2 --batch 3 | cmp lines
cat "$@" | transformer-run -m vit --best 2 - | cmp lines
transformer-run -m timesformer --best 2 frames | tee line
cat "$@" | transformer-run -m timesformer --best 2 - | cmp line

# More frames than the model takes: evenly spaced ones. Fewer, a picture that is none, a folder: one line.
for i in 1 2 3; do mkdir -p many; cp "$images/colour.jpg" many/a$i.jpg; cp "$images/rgb.png" many/c$i.png; done
cp "$images/grey.png" many/b1.png
mkdir few
cp many/a1.jpg many/a3.jpg many/c1.png many/c3.png few
transformer-run -m timesformer few >few.txt
transformer-run -m timesformer many | cmp - few.txt
rm few/c3.png
transformer-run -m timesformer few 2>&1 || echo $?
transformer-run -m vit few 2>&1 || echo $?
echo text >text.png
transformer-run -m vit "$images/rgb.png" missing.png text.png "$images/rgb.png" --on-error skip --best 1 2>&1 || echo $?
rm vit/preprocessor_config.json
transformer-run -m vit "$images/rgb.png" 2>&1 || echo $?
