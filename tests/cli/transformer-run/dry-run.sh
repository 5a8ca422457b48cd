# --max-memory that the weights exceed is refused.
transformer-run -m "$EXAMPLES/dates" -n "3 mars 2021" | grep -c '^memory  about [0-9]* bytes$'
transformer-run -m "$EXAMPLES/dates" --max-memory 1M "3 mars 2021" 2>errors || echo $?
grep -c 'needs .* bytes' errors
# What will be written, of generated ids the longest there can be; as it then is where nothing is generated.
d=$EXAMPLES/dates
transformer-run -m "$d" -n --emit encoder --emit scores --beams 3 --num-return 2 -o y.h5 "3 mars 2021" "1 mei 1999" | grep write
transformer-run -m "$d" -n --emit encoder --emit decoder --decoder-ids 2x3xi64=1,4,5,1,5,6 --ids 2x2xi64=3,4,5,6 -o y.h5 | grep write
transformer-run -m "$d" --emit encoder --emit decoder --decoder-ids 2x3xi64=1,4,5,1,5,6 --ids 2x2xi64=3,4,5,6 -o y.h5
tconv --list y.h5 | grep -v '^@'
# Hidden states and attention maps too, of chosen layers and heads.
groups=encoder_hidden_states,encoder_attentions,decoder_hidden_states,decoder_attentions,cross_attentions
maps() {
  transformer-run -m "$d" --decoder-ids 2x3xi64=1,4,5,1,5,6 --ids 2x2xi64=3,4,5,6 --emit $groups --emit-layers -1 --emit-heads 0,2 \
    -o maps.h5 "$@"
}
maps -n | sed -n 's/^write *//p' | awk '{ sub(/  [0-9]+ bytes$/, ""); $1 = $1; print }' | sort >planned
maps
tconv --list maps.h5 | grep -v '^@' | awk '{ $1 = $1; print }' | sort | diff planned - && cat planned
