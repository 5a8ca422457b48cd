# A row that ends before others is filled with the padding token, which generation_config.json or config.json
# names, and with the end token where neither does.
cp -R "$CONFORMANCE/models/gpt2" m && rm -f m/generation_config.json
run() { transformer-run -m m --ids 2x3xi64=7,9,5,3,4,8 --max-new-tokens 5 -f -o y.h5 && tconv y.h5 -O csv --no-header | grep -v '#'; }
edit() { sed "/\"pad_token_id\"/d; /\"eos_token_id\"/d; 1s/{/{$1/" "$CONFORMANCE/models/gpt2/config.json" >m/config.json; }
edit '"eos_token_id": 1,' && run >plain
end=$(head -n 1 plain | cut -d, -f 5)
edit "\"eos_token_id\": [$end, 1]," && run >none
edit "\"pad_token_id\": 2, \"eos_token_id\": [$end, 1]," && run >padded
echo '{"pad_token_id": 7, "user_token_id": 3, "_license": "mit"}' >m/generation_config.json && run >generation
for file in none padded generation; do
  head -n 1 $file | tr , '\n' | tail -n +5 | sed "s/^$end\$/end/" | paste -sd ' ' -
done
