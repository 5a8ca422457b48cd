# generation_config.json chooses how to generate, options override it, and what is not supported is refused by name.
. "$SUPPORT/try.sh"
cp -R "$CONFORMANCE/models/gpt2" m
config() { echo "{$1}" >m/generation_config.json; } # FIELDS
run() { transformer-run -m m --ids 1x3xi64=5,6,7 -O csv --no-header "$@"; }
same() { # FIELDS OPTION...: they give the same
  config "$1"
  run >by-file
  config ''
  shift
  run "$@" >by-options
  cmp by-file by-options || echo "differs: $*"
}
same '"max_new_tokens": 4' --max-new-tokens 4
same '"max_length": 9' --max-new-tokens 6
same '"max_new_tokens": 6, "num_beams": 3, "length_penalty": 2.0' --max-new-tokens 6 --beams 3 --length-penalty 2
same '"max_new_tokens": 6, "repetition_penalty": 1.7' --max-new-tokens 6 --repetition-penalty 1.7
same '"max_new_tokens": 6, "do_sample": true, "temperature": 0.5, "top_k": 0' --max-new-tokens 6 --sample --temperature 0.5
# Without sampling and beams, their fields change nothing.
same '"max_new_tokens": 6, "temperature": 0.5, "length_penalty": 2.0' --max-new-tokens 6
# Without a cache, transformers turns all keys anew once a text is longer.
same '"max_new_tokens": 4, "use_cache": false' --max-new-tokens 4
# Options override.
run --max-new-tokens 3 >expected
config '"max_new_tokens": 6, "do_sample": true'
run --no-sample --max-new-tokens 3 | cmp - expected

# Tokens that are forbidden, and those that are forced, in place of the first one that is generated.
config '"max_new_tokens": 1'
try run
first=$(run | cut -d , -f 4)
for field in "\"suppress_tokens\": [$first]" "\"bad_words_ids\": [[7, $first]]"; do
  config "\"max_new_tokens\": 1, $field"
  [ "$(run | cut -d , -f 4)" != "$first" ] || echo "$field has no effect"
done
config '"max_new_tokens": 3, "forced_eos_token_id": [11, 9]'
[ "$(run | cut -d , -f 6)" = 9 ] || echo "none of the end tokens is at the end"
# A forced first token is of an empty prompt's answer: another prompt goes on.
config '"max_new_tokens": 1, "forced_bos_token_id": 9'
try run
try transformer-run -m m --ids 1x1xi64=5 -O csv --no-header

# The least number of tokens: min_new_tokens counts before min_length, and options before both.
ends="\"max_new_tokens\": 6, \"eos_token_id\": $first"
config "$ends"
run >ended
config "$ends, \"min_length\": 8"
run >longer
! cmp -s ended longer || echo "min_length has no effect"
run --min-new-tokens 0 | cmp - ended
config "$ends, \"min_length\": 8, \"min_new_tokens\": 0"
run | cmp - ended
# What the file asks for cannot be: the message depends on who asked for it.
config '"max_new_tokens": 1, "min_new_tokens": 3'
try run --repetition-penalty 1.2
try run --min-new-tokens 2

# Fields that are not supported, or have no such value.
refuse() { config "$1" && run; } # FIELDS
try refuse '"typical_p": 9'
try refuse '"sequence_bias": [[7]]'
try refuse '"num_beam_groups": 2'
try refuse '"guidance_scale": 1.5'
try refuse '"stop_strings": [""]'
try refuse '"sparkle": 1'
try refuse '"min_length": 9, "max_length": 5'
try refuse '"length_penalty": -300'
try refuse '"temperature": "hot"'
try refuse '"eos_token_id": 99999'
try refuse '"early_stopping": "soon"'
rm -R m
cp -R "$CONFORMANCE/models/llama" m
config '"use_cache": false'
run >gone
# Rotary frequencies that change with the length of a text.
sed -i 's/"rope_parameters": {/&"factor": 2.0,/; s/"rope_type": "[a-z0-9]*"/"rope_type": "dynamic"/' m/config.json
try refuse '"use_cache": false'
