# --header, --no-header, --delim and --missing decide how text is read and written.
. "$SUPPORT/stages.sh"
tconv x.h5 -O csv --no-header -o plain.csv
{ echo 1,2,3,4,5,6,7,8; cat plain.csv; } >named.csv
tr ',' ';' <plain.csv >semicolons.csv
{ cat plain.csv; echo 1,2,,4,5,6,7,NA; } >missing.csv
body() {
  stage_on x.h5 -f -o good.h5
  stage_on named.csv --header | tdiff - good.h5 || complain "--header is ignored"
  stage_on plain.csv --no-header | tdiff - good.h5 || complain "--no-header is ignored"
  stage_on semicolons.csv --delim ';' --no-header | tdiff - good.h5 || complain "--delim is ignored"
  stage_on plain.csv -O csv --delim ';' --no-header <plain.csv 2>errors | grep -q ';' && complain "--delim was not read"
  [ $tool = nwreg ] || # has one column
    stage_on x.h5 -O csv --delim ';' | grep -q ';' || complain "--delim is not written"
  code=0
  stage_on missing.csv --no-header >out.h5 2>errors || code=$?
  [ $code -eq 65 ] || complain "an empty cell: exit code $code"
  [ $tool = nwreg ] || # whose queries all get an answer
    stage_on missing.csv --no-header --missing omit | tdiff - good.h5 || complain "--missing omit is ignored"
  case $tool in
    addnorm) ;;  # has a residual of 6 rows
    embed | transformer-run) ;;  # NaN is no id
    *) stage_on missing.csv --no-header --missing nan --stats 2>&1 >out.h5 | grep -q nan || complain "--missing nan is ignored" ;;
  esac
}
for_each_stage body
