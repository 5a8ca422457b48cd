# Weights and pictures that are not read are named, with what to do about them: files of other programs, Git LFS
# pointers, quantised weights, and pictures other than PNG and JPEG.
models=$CONFORMANCE/models
run() { transformer-run -m "${1:-m}" --ids 1x4xi64=7,9,5,3 -o y.h5 -f 2>&1 || echo $?; }
mkdir m && cp "$models/bert-classify/config.json" m
for name in model.Q4.gguf model.onnx tf_model.h5 flax_model.msgpack consolidated.safetensors adapter_model.safetensors \
  whole.safetensors; do
  echo >m/$name && run && rm m/$name
done
echo >m/model-00001-of-00002.safetensors && run && rm m/model-0*
echo '{"weight_map": {}}' >m/pytorch_model.bin.index.json && run && rm m/*.index.json
mkdir m/onnx && echo >m/onnx/model.onnx && run
echo >model.gguf && run model.gguf
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 440473133\n' >m/model.safetensors && run
mv m/model.safetensors m/model.safetensors.index.json && run && rm m/model.safetensors.index.json
cp "$models/bert-classify/model.safetensors" m
for name in adapter_config.json adapter_model.safetensors; do echo >m/$name && run && rm m/$name; done
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 570\n' >m/config.json && run
sed '1s/{/{"quantization_config": {"quant_method": "fp8"},/' "$models/bert-classify/config.json" >m/config.json && run
cp "$models/bert-classify/config.json" m
header='{"bert.embeddings.word_embeddings.weight": {"dtype": "F8_E4M3", "shape": [1], "data_offsets": [0, 1]}}'
printf "\\$(printf %o ${#header})\0\0\0\0\0\0\0$header " >m/model.safetensors && run
pictures() { transformer-run -m "$models/vit-classify" "$1" 2>&1 || echo $?; }
printf 'RIFF\44\0\0\0WEBPVP8 ' >x.webp && pictures x.webp
printf 'GIF89a\20\0\20\0\200\0\0' >x.gif && pictures x.gif
printf 'BM\66\0\0\0\0\0\0\0\66\0\0\0\50\0' >x.bmp && pictures x.bmp
printf 'II*\0\10\0\0\0\0\0\0\0\0\0\0\0' >x.tif && pictures x.tif
printf '\0\0\0\34ftypavif\0\0\0\0' >x.avif && pictures x.avif
printf '\0\0\0\34ftypisom\0\0\0\0' >x.mp4 && pictures x.mp4
printf 'BMI,age\n1,2\n' | tconv -O csv
