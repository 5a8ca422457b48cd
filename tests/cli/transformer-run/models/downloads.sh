# What a download leaves, whole or not, is named as what it is.
. "$SUPPORT/try.sh"
run() { transformer-run -m "$@" text; }
try run google-bert/bert-base-uncased
try run gpt2
try run ./models/gpt2
try run "a b"
fresh() {
  rm -rf m
  cp -R "$EXAMPLES/dates" m
}
pointer() {
  printf 'version https://git-lfs.github.com/spec/v1\noid sha256:0123\nsize 2678272\n'
}
fresh
pointer >m/model.safetensors
try run m
fresh
pointer >m/tokenizer.json
try run m
# hf download keeps what it has so far below .cache, browsers beside the name, a hub's cache among its blobs.
fresh
rm m/model.safetensors
mkdir -p m/.cache/huggingface/download
touch m/.cache/huggingface/download/abc.123.incomplete
try run m
rm m/.cache/huggingface/download/abc.123.incomplete
touch m/model.safetensors.crdownload
try run m
mkdir -p cache/blobs cache/snapshots/1
touch cache/blobs/abc.incomplete
cp m/config.json cache/snapshots/1
try run cache/snapshots/1
# A file that was cut, and shards that are missing.
fresh
head -c 100000 "$EXAMPLES/dates/model.safetensors" >m/model.safetensors
try run m
fresh
rm m/model.safetensors
cat >m/model.safetensors.index.json <<EOF
{"weight_map": {"a": "model-00001-of-00003.safetensors", "b": "model-00002-of-00003.safetensors",
 "c": "model-00003-of-00003.safetensors"}}
EOF
tconv 1xf32=1 --rename y=b -o m/model-00002-of-00003.safetensors
try run m
tconv 1xf32=1 --rename y=a -o m/model-00001-of-00003.safetensors
try run m
pointer >m/model-00003-of-00003.safetensors
try run m
rm m/model-00003-of-00003.safetensors
mkdir -p m/.cache/huggingface/download
touch m/.cache/huggingface/download/x.incomplete
try run m

# What runs.
transformer-run --list-families | sed -n '1p; /^transformer /p; /^bert /p; /^gpt2 /p; /^marian /p; /^xlnet /p; /^vit /p; /^clip/p'
transformer-run --list-families --json | sed -n '/"qwen3"/p'
transformer-run --list-families | cut -d ' ' -f 1 | sort -u | wc -l
