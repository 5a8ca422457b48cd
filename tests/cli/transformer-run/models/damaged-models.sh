# A damaged or inconsistent model gets one clear line, before anything is computed.
fails() { # NAME: runs the model in m and prints the exit code
  transformer-run -m m "3 mars 2021" && echo "no error" || echo "$?"
}
fresh() {
  rm -rf m
  cp -R "$EXAMPLES/dates" m
}
change() { # sed script for config.json
  fresh
  sed "$1" "$EXAMPLES/dates/config.json" >m/config.json
  fails
}
fails 2>&1
mkdir m
fails 2>&1
fresh; rm m/config.json; fails 2>&1
fresh; rm m/model.safetensors; fails 2>&1
fresh; rm m/tokenizer.json; fails 2>&1
fresh; mv m/model.safetensors m/pytorch_model.bin; fails 2>&1
fresh; head -c 2000000 "$EXAMPLES/dates/model.safetensors" >m/model.safetensors; fails 2>&1
change 's/"transformer"/"transfomer"/' 2>&1
change 's/"nhead": 4/"nhead": 5/' 2>&1
change 's/"relu"/"swoosh"/' 2>&1
change 's/"d_model": 128/"d_model": 64/' 2>&1
change 's/"num_encoder_layers": 2/"num_encoder_layers": 3/' 2>&1
change 's/"num_encoder_layers": 2/"num_encoder_layers": 1/' 2>&1
change 's/"num_decoder_layers": 2/"num_decoder_layers": -2/' 2>&1
change 's/"d_model": 128/"d_model": 1e99/' 2>&1
change 's/"vocab_size": 51/"vocab_size": 51, "sliding_window": 16/' 2>&1
change 's/"vocab_size": 51/"vocab_size": 50/' 2>&1
change 's/"eos_token_id": 2/"eos_token_id": 51/' 2>&1
change 's/"pad_token_id": 0/"pad_token_id": 51/' 2>&1
change 's/"pad_token_id": 0/"pad_token_id": -2/' 2>&1
change 's/,$/;/' 2>&1
fresh; sed 's/"m": 31/"m": 77/' "$EXAMPLES/dates/tokenizer.json" >m/tokenizer.json; fails 2>&1
