# An option that says how to generate is refused where nothing is generated, one for lines where there are tensors.
d=$EXAMPLES/dates
refused() { transformer-run "$@" 2>&1 >/dev/null && echo "no error" || echo $?; }
for option in "--max-new-tokens 3" "--min-new-tokens 3" "--beams 2" "--num-return 2" "--sample" "--seed 7" "--top-k 3" \
  "--repetition-penalty 2" "--no-repeat-ngram 2" --ignore-end; do
  refused -m "$d" --ids 1x2xi64=3,4 --decoder-ids 1x2xi64=1,4 $option
done
refused -m "$d" --to encoder/norm --beams 2 "3 mars 2021"
refused -m "$d" --list --beams 2
refused -m "$TESTDIR/../../conformance/models/bert" --ids 1x2xi64=3,4 --beams 2
refused -m "$d" --emit encoder --batch 2 "3 mars 2021"
refused -m "$d" --emit encoder --on-error skip "3 mars 2021"
# What is for tensors is refused where the result is lines of text, and the other way round.
for option in "--check $d/x.h5" --stats --fail-on-nonfinite "--keep x" --keep-input "--best 2" "--pool max" --normalize "--stride 3"; do
  refused -m "$d" $option "3 mars 2021"
done
for option in --json "--best 2" --normalize; do refused -m "$d" --emit encoder $option "3 mars 2021"; done
refused -m "$d" --list --json
for option in --header "--delim ;" "--missing nan" "--slab ids=:1" "--precision 3"; do refused -m "$d" $option "3 mars 2021"; done
# What generation_config.json says is the file's mistake.
cp -r "$d" own
for text in '"num_beams": 2, "num_return_sequences": 3' '"num_return_sequences": 2'; do
  echo "{$text}" >own/generation_config.json
  refused -m own "3 mars 2021"
done
transformer-run -m own --beams 4 --num-return 1 "3 mars 2021"
# So are ids for a decoder that is not there, and those of an encoder that is not.
refused -m "$TESTDIR/../../conformance/models/bert" --ids 1x2xi64=3,4 --decoder-ids 1x2xi64=3,4
refused -m "$TESTDIR/../../conformance/models/bert" --decoder-ids 1x2xi64=3,4 --to encoder/0
refused -m "$TESTDIR/../../conformance/models/gpt2" --ids 1x2xi64=3,4 --decoder-ids 1x2xi64=3,4
# What --list does not show, and what lines of text or ids cannot be.
for option in "--dtype i64" "--precision 3" --header "--missing nan" "--engine reference" "--batch 3" "--stride 3"; do
  refused -m "$d" --list $option
done
for type in i32 bool; do refused -m "$d" --dtype $type "3 mars 2021"; done
transformer-run -m "$d" --dtype f64 "3 mars 2021"
refused -m "$d" --ids 1x3xi64=5,6,7 --fail-on-nonfinite
refused -m "$d" --ids 1x3xi64=5,6,7 --dtype f16 --fail-on-nonfinite
