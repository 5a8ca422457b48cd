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

# CLIP: the settings of its pictures under their names of 2021 and of today, inside a file with those of texts, which wins,
# and without a name, as the model says. The shorter side becomes 14, of which the middle 12 are left.
size='"crop_size": {"height": 12, "width": 12}, "size": {"shortest_edge": 14}'
clip() { # FILE JSON
  rm -f clip/*processor_config.json
  printf '%s\n' "$2" >"clip/$1.json"
  transformer-run -m clip --task image-feature-extraction --dtype f64 -f -o y.h5 "$images/colour.jpg" "$images/grey.png" \
    "$images/palette.png" "$images/rgb.png" &&
    tdiff y.h5 "$TESTDIR/pictures.h5:/clip" --rtol 0 --atol 5e-6
}
cp -R "$TESTDIR/clip" clip
clip preprocessor_config "{\"feature_extractor_type\": \"CLIPFeatureExtractor\", \"crop_size\": 12, \"size\": 14}"
clip preprocessor_config "{\"image_processor_type\": \"CLIPImageProcessor\", $size, \"processor_class\": \"CLIPProcessor\"}"
clip preprocessor_config "{\"image_processor_type\": \"CLIPImageProcessorFast\", \"feature_extractor_type\": \"ViTFeatureExtractor\", $size}"
clip preprocessor_config "{\"image_processor_type\": \"BitImageProcessor\", $size}"
clip preprocessor_config "{$size}"
clip preprocessor_config "{\"crop_size\": 12, \"size\": 14, \"default_to_square\": false, \"image_processor_type\": \"ViTImageProcessor\",
  \"do_center_crop\": true, \"resample\": 3, \"image_mean\": [0.48145466, 0.4578275, 0.40821073],
  \"image_std\": [0.26862954, 0.26130258, 0.27577711]}"
clip processor_config "{\"image_processor\": {\"image_processor_type\": \"CLIPImageProcessorPil\", $size}, \"processor_class\": \"CLIPProcessor\"}"
clip preprocessor_config "{\"image_processor_type\": \"CLIPImageProcessor\", \"use_square_size\": true, $size}" 2>&1 || echo $?
clip processor_config "{\"image_processor\": {\"image_processor_type\": \"SiglipImageProcessor\", $size}}" 2>&1 || echo $?
