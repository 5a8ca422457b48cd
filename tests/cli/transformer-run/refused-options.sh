# What is for tensors is refused where the result is lines of text, and the other way round.
d=$EXAMPLES/dates
refused() { transformer-run "$@" 2>&1 >/dev/null && echo "no error" || echo $?; }
for option in "--check $d/x.h5" "--keep x" --keep-input; do refused -m "$d" $option "3 mars 2021"; done
refused -m "$d" --emit encoder --json "3 mars 2021"
refused -m "$d" --list --json
# What generation_config.json says is the file's mistake.
cp -r "$d" own
for text in '"num_beams": 2, "num_return_sequences": 3' '"num_return_sequences": 2'; do
  echo "{$text}" >own/generation_config.json
  refused -m own "3 mars 2021"
done
transformer-run -m own --beams 4 --num-return 1 "3 mars 2021"
# So are ids for a decoder that is not there, and those of an encoder that is not.
refused -m "$CONFORMANCE/models/bert" --ids 1x2xi64=3,4 --decoder-ids 1x2xi64=3,4
refused -m "$CONFORMANCE/models/bert" --decoder-ids 1x2xi64=3,4 --to encoder/0
refused -m "$CONFORMANCE/models/gpt2" --ids 1x2xi64=3,4 --decoder-ids 1x2xi64=3,4
# What lines of text cannot be computed in.
for type in i32 bool; do refused -m "$d" --dtype $type "3 mars 2021"; done
transformer-run -m "$d" --dtype f64 "3 mars 2021"
