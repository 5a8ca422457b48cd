# A language model reads a line that is longer than its positions in blocks, and with --max-length all lines, each with
# its end token, as one text: the bits are those of training on blocks that were made by hand.
mkdir start ends
printf '{"added_tokens": [], "normalizer": null, "post_processor": null, "decoder": null, "pre_tokenizer":
  {"type": "Split", "pattern": {"Regex": "."}, "behavior": "Isolated", "invert": false}, "model": {"type": "WordLevel",
  "unk_token": "?", "vocab": {"?": 0, "|": 1, "a": 2, "b": 3, "c": 4, "d": 5, "e": 6, " ": 7, "f": 8, "g": 9}}}\n' \
  >start/tokenizer.json
printf '{"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "vocab_size": 10, "n_positions": 16, "n_embd": 16,
  "n_layer": 1, "n_head": 2, "activation_function": "gelu_new", "layer_norm_epsilon": 1e-5, "eos_token_id": null}\n' \
  >start/config.json
cp start/tokenizer.json ends
sed 's/"eos_token_id": null/"eos_token_id": 1/' start/config.json >ends/config.json
train() { # DATA RESULT OPTION...
  data=$1 result=$2
  shift 2
  transformer-train --init --data "$data" -o "$result" --after 3e --batch 2 --lr 0.01 "$@"
}
same() { tdiff "$1/model.safetensors" "$2/model.safetensors" --atol 0 --quiet && echo "$1: the same"; }
# A last token alone is learned after the one before it.
long='abcde fgabbage decade baggage fac'
printf 'bad cafe\n%s\nfad bead\n' "$long" >long.txt
train long.txt long -m start 2>note
head -n 2 note
printf 'bad cafe\nfad bead\n' >blocks.txt
for part in 1-16 17-32 32-33; do echo "$long" | cut -c $part >>blocks.txt; done
train blocks.txt blocks -m start --quiet
same long blocks
# All lines as one text, short and empty ones too.
printf 'bad cafe\n\na\nfad bead decaded\n%s\n' "$long" >lines.txt
train lines.txt joined -m start --max-length 12 2>note
head -n 1 note
tr -d '\n' <lines.txt | fold -w 12 >by-hand.txt
train by-hand.txt by-hand -m start --quiet
same joined by-hand
train lines.txt joined-ends -m ends --max-length 12 --quiet
grep . lines.txt | tr '\n' '|' | fold -w 12 >by-hand-ends.txt
train by-hand-ends.txt by-hand-ends -m start --quiet
same joined-ends by-hand-ends
# A run that goes on has the bits of one that was not stopped.
train lines.txt stopped -m ends --max-length 12 --quiet --after 2u
train lines.txt stopped -m ends --max-length 12 --quiet --resume -t 2
same joined-ends stopped
refused() { transformer-train -m start --init -o none "$@" 2>&1 || echo $?; }
refused --data long.txt --max-length 0
refused --data long.txt --max-length 1
echo a >one.txt
refused --data one.txt --max-length 4
