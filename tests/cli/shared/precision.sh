# --precision is the number of significant digits in text.
. "$SUPPORT/stages.sh"
body() {
  [ $tool != transformer-run ] || return 0  # whose results are ids
  input=x.h5
  [ $tool != tconv ] || input=weights.h5:/linear/weight
  stage_on $input -O csv --precision 3 --no-header | grep -v '^#' | tr ',' '\n' | sed 's/e.*//' | tr -d '.-' | sed 's/^0*//' >digits
  awk -v tool=$tool 'length($0) > 3 { print tool ": --precision 3 gives " $0; exit }' digits
  stage_on $input -O csv --no-header | grep -v '^#' | tr ',' '\n' | sed 's/e.*//' | tr -d '.-' | sed 's/^0*//' >digits
  awk -v tool=$tool 'length($0) > 3 { n++ } END { if (!n) print tool ": no number has more digits without --precision" }' digits
}
for_each_stage body
