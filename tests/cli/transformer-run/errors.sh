# Each error has one line, names its option, line or element, and leaves no file.
. "$SUPPORT/try.sh"
ln -s "$EXAMPLES/dates" "$CONFORMANCE/models/bert" "$CONFORMANCE/models/gpt2" .
date() { transformer-run -m dates "$@" "3 mars 2021"; }

# Options that do not exist, and values that they do not take.
try transformer-run "3 mars 2021"
try date --bemas 2
for word in --truncate-dim --max-tokens --length --overlap --doc-stride --num-beams --do-sample --num-return-sequences; do
  try date $word 2
done
try date --sample --temperature 0
try date --sample --temperature inf
try date --sample --top-p 1.5
try date --sample --seed 18446744073709551616
try date --beams 0
try date --beams 2 --length-penalty -1e300
try date --repetition-penalty inf
try date --min-new-tokens 9 --max-new-tokens 3
try date --stop "$(printf '\377')" | tr '\377' '?'
try date --emit maps
try date --emit cross_attentions --emit-layers 2 -o x.h5
try date --emit cross_attentions --heads x -o x.h5
try date --to encoder/7 -o x.h5
try date --trace t.h5 --trace-filter nothing -o x.h5

# Options that need others, and options that exclude each other.
try date --num-return 2
try date --from encoder/0
try date --to decoder/0 -o x.h5
try date --ids 1x2xi64=3,4
try date --sample --no-sample
try date --quiet --verbose
try date --no-progress --progress
try date --header --no-header
try date --trace t.h5:/a -o t.h5

# What is for tensors, where the result is lines of text, and the other way round; lines are computed in floats.
try date --check x.h5
try date --keep x
try date --keep-input
try date --dtype i32
try date --dtype bool
# A list of the model computes nothing.
try transformer-run -m dates --list --trace t.h5
try transformer-run -m dates --list --emit encoder
try transformer-run -m dates --list -O csv
try transformer-run -m dates --list --ids 1x2xi64=3,4
try transformer-run -m dates --list text

# What changes nothing is noted; what chooses from a result that is not there is refused.
try date --temperature 0.5 --seed 3 --top-k 3 --length-penalty 2
try date --beams 2 --length-penalty 2 --early-stopping yes --top-p 0.5
try date --sample --seed 1 --max-new-tokens 1
try date --emit ids -O csv --no-header --max-new-tokens 1 --min-p 0.5
for option in '--emit-layers 99' '--emit-heads 7' '--heads 7'; do try date $option; done
# What a model has no part for: a task, ids for a decoder or an encoder that it has not. What generation_config.json
# asks for is the file's mistake, and options override it.
try date --task perplexity
try transformer-run -m bert --ids 1x2xi64=3,4 --decoder-ids 1x2xi64=3,4
try transformer-run -m bert --decoder-ids 1x2xi64=3,4 --to encoder/0
try transformer-run -m gpt2 --ids 1x2xi64=3,4 --decoder-ids 1x2xi64=3,4
cp -r dates/ own
for text in '"num_beams": 2, "num_return_sequences": 3' '"num_return_sequences": 2'; do
  echo "{$text}" >own/generation_config.json
  try transformer-run -m own "3 mars 2021"
done
try transformer-run -m own --beams 4 --num-return 1 "3 mars 2021"
# Ids beyond the table.
try transformer-run -m dates --ids 1x2xi64=12,51 -o c.h5

# A bad line ends the run, with what came before it done; tensors and a trace are of all lines.
printf '3 mars 2021\n\377\n1 mei 1999\n' >lines
try transformer-run -m dates <lines
try transformer-run -m dates --emit encoder -o e.h5 <lines
try transformer-run -m dates --trace t.h5 <lines
try transformer-run -m dates --trace t.h5 --on-error skip <lines
# With --on-error skip bad lines, and too long ones with --max-length 0, have a note each and an empty line.
printf '3 mars 2021\n\377\n%080d\n1 mei 1999\n' 0 | try transformer-run -m dates --on-error skip --max-length 0
