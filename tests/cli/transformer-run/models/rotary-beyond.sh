# Rotary positions have no end: texts longer than max_position_embeddings (64) are read, and their first tokens as
# alone. Generation that nothing else ends does so at that number times the factor. max_sequence_length is no limit.
llama=$CONFORMANCE/models/llama
cp -r "$llama" model
chmod -R u+w model
awk 'BEGIN { for (i = 0; i < 80; ++i) printf "%s%d", i ? "," : "", 3 + i * 37 % 200; print "" }' >ids.csv
tconv ids.csv --dtype i64 --reshape 1,80 -o long.npy
tconv 'long.npy[:,:60]' -o short.npy
for scaling in '"default"' '"linear", "factor": 1.5' '"yarn", "factor": 2, "original_max_position_embeddings": 32' \
  '"yarn", "factor": 4' '"dynamic", "factor": 2' \
  '"llama3", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4, "original_max_position_embeddings": 16' \
  '"longrope", "short_factor": [1, 1, 1, 1], "long_factor": [2, 3, 4, 5], "original_max_position_embeddings": 16'; do
  sed "s/\"rope_type\": \"default\"/\"rope_type\": $scaling/; 1s/{/{\"max_sequence_length\": 9,/" \
    "$llama/config.json" >model/config.json
  transformer-run -m model --decoder-ids long.npy -f -o whole.npy
  transformer-run -m model --decoder-ids short.npy -f -o start.npy
  case $scaling in *dynamic*) ;; *) tdiff 'whole.npy[:,:60]' start.npy ;; esac
  printf '%s: ' "${scaling%%,*}"
  transformer-run -m model --list | sed -n 's/^positions: //p'
done
transformer-run -m model --ids long.npy -O npy 2>&1 || echo $?
transformer-run -m model --ids long.npy --max-new-tokens 2 -O npy | tconv - --list | head -1
