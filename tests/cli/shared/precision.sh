# --precision is the number of significant digits in text.
. "$SUPPORT/stages.sh"
body() {
  stage_on x.h5 -O csv --precision 3 --no-header | grep -v '^#' | tr ',' '\n' | sed 's/e.*//' | tr -d '.-' | sed 's/^0*//' >digits
  awk -v tool=$tool 'length($0) > 3 { print tool ": --precision 3 gives " $0; exit }' digits
  stage_on x.h5 -O csv --no-header | grep -v '^#' | tr ',' '\n' | sed 's/e.*//' | tr -d '.-' | sed 's/^0*//' >digits
  awk -v tool=$tool 'length($0) > 3 { n++ } END { if (!n) print tool ": no number has more digits without --precision" }' digits
}
for_each_stage body
