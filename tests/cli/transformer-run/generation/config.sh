# generation_config.json chooses how to generate, options speak last, and what is not supported is refused by name.
cp -R "$CONFORMANCE/models/gpt2" m
run() { transformer-run -m m --ids 1x3xi64=5,6,7 -O csv "$@" | grep -v '^[#y]' | tr '\n' ';'; echo; }
config() { echo "{$1}" >m/generation_config.json; }
same() { [ "$(run)" = "$(config '' && run "$@")" ] && echo "as $*" || echo "not as $*"; }
config '"max_new_tokens": 4' && same --max-new-tokens 4
config '"max_length": 9' && same --max-new-tokens 6
config '"num_beams": 3, "max_new_tokens": 6, "length_penalty": 2.0' && same --beams 3 --max-new-tokens 6 --length-penalty 2
config '"max_new_tokens": 6, "repetition_penalty": 1.7' && same --max-new-tokens 6 --repetition-penalty 1.7
config '"max_new_tokens": 6, "do_sample": true, "temperature": 0.5, "top_k": 0' &&
  same --max-new-tokens 6 --sample --temperature 0.5
config '"max_new_tokens": 6, "temperature": 0.5, "length_penalty": 2.0' && same --max-new-tokens 6
config '"max_new_tokens": 6, "do_sample": true'
[ "$(run --no-sample --max-new-tokens 3)" = "$(config '' && run --max-new-tokens 3)" ] && echo "options speak last"
config '"max_new_tokens": 6' && first=$(run | cut -d , -f 4)
config "\"max_new_tokens\": 1, \"suppress_tokens\": [$first]" && [ "$(run | cut -d , -f 4)" != "$first;" ] && echo suppressed
config "\"max_new_tokens\": 1, \"bad_words_ids\": [[7, $first]]" && [ "$(run | cut -d , -f 4)" != "$first;" ] && echo "bad words"
config '"max_new_tokens": 1, "forced_bos_token_id": 9' && [ "$(run | cut -d , -f 4)" = "$first;" ] && echo "prompts go on"
transformer-run -m m --ids 1x1xi64=5 -O csv | tail -n 1
least="\"max_new_tokens\": 6, \"eos_token_id\": $first" && config "$least" && ended=$(run)
config "$least, \"min_length\": 8" && [ "$(run)" != "$ended" ] && [ "$(run --min-new-tokens 0)" = "$ended" ] &&
  config "$least, \"min_length\": 8, \"min_new_tokens\": 0" && [ "$(run)" = "$ended" ] && echo "new tokens count first"
config '"max_new_tokens": 1, "min_new_tokens": 3' && for option in '--repetition-penalty 1.2' '--min-new-tokens 2'; do
  code=0
  transformer-run -m m --ids 1x1xi64=5 $option 2>&1 || code=$?
  echo $code
done
refused() { run 2>&1 >/dev/null | sed 's/; \(it is\|generation without\)/;\n  \1/'; }
for field in '"typical_p": 9' '"sequence_bias": [[7]]' '"num_beam_groups": 2' '"guidance_scale": 1.5' '"stop_strings": [""]' '"sparkle": 1' \
  '"min_length": 9, "max_length": 5' '"length_penalty": -300' '"temperature": "hot"' '"eos_token_id": 99999' '"early_stopping": "soon"'; do
  config "$field" && refused
done
config "\"max_new_tokens\": 3, \"forced_eos_token_id\": [11, 9]" && [ "$(run | cut -d , -f 6)" = "9;" ] && echo "one of them at the end"
# Without a cache, transformers turns all keys anew once a text is longer.
config '"use_cache": false, "max_new_tokens": 4' && same --max-new-tokens 4
rm -R m && cp -R "$CONFORMANCE/models/llama" m
config '"use_cache": false' && refused
sed -i 's/"rope_parameters": {/&"factor": 2.0,/; s/"rope_type": "[a-z0-9]*"/"rope_type": "dynamic"/' m/config.json
refused
