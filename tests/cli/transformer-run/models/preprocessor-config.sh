# What a preprocessor_config.json may say, and what is refused in one line.
cp -R "$CONFORMANCE/models/vit-classify" m
cp "$CONFORMANCE/image/rgb.png" "$CONFORMANCE/image/colour.jpg" .
says() { # JSON: the label that the picture gets, or why not
  printf '%s\n' "$1" >m/preprocessor_config.json
  transformer-run -m m rgb.png --precision 5 2>&1 || echo $?
}
# The same in other words: sizes as a number, as two, as defaults of ViT; old names; what changes nothing.
says '{"size": 24}' >one
says '{"size": [24, 24], "crop_size": 99, "do_convert_rgb": true}' | cmp one
says '{"size": {"height": 24, "width": 24}, "image_processor_type": "ViTImageProcessorFast"}' | cmp one
says '{"size": 24, "feature_extractor_type": "ViTFeatureExtractor", "resample": 2, "do_normalize": true, "image_mean": [0.5, 0.5, 0.5]}' | cmp one
says '{"size": {"shortest_edge": 24}, "do_center_crop": true, "crop_size": {"height": 24, "width": 24}}' >cropped
says '{"size": 24, "crop_size": 24, "image_processor_type": "VideoMAEImageProcessor"}' | cmp cropped
cmp one cropped >/dev/null && echo "cut or squeezed is the same"
# Refused.
says '{"size": 23}'
says '{"size": 0}'
says '{"size": [1, 2, 3]}'
says '{"size": {"height": 24}}'
says '{"size": {"shortest_edge": 24, "longest_edge": 30}}'
says '{"size": 24, "resample": 6}'
says '{"size": 24, "image_std": [0.5, 0, 0.5]}'
says '{"size": 24, "image_mean": [0.5]}'
says '{"size": 24, "do_pad": true}'
says '{"size": 24, "crop_pct": 0.9}'
says '{"size": 24, "image_processor_type": "SiglipImageProcessor"}'
says '{"size": 24'
# A pipe is read once.
echo '{"size": 24}' >m/preprocessor_config.json
transformer-run -m m - - <rgb.png 2>&1 >/dev/null || echo $?
transformer-run -m m --trace t.h5 - <rgb.png 2>&1 || echo $?
