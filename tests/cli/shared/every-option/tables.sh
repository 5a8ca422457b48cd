# The options that choose a part of the input and read and write tables, in every tool.
. "$SUPPORT/every_option.sh"
tconv x.h5 -O csv --no-header -o plain.csv
{ echo 1,2,3,4,5,3,2,0; cat plain.csv; } >numbered.csv
{ echo a,b,c,d,e,f,g,h; cat plain.csv; } >named.csv
{ echo '%1'; cat plain.csv; } >commented.csv
{ echo '",b,c,d,e,f,g,"h'; cat plain.csv; } >quoted.csv
{ cat plain.csv; echo 1,2,,4,5,6,7,NA; } >missing.csv
tr , ';' <plain.csv >semicolons.csv

law_slab() { changes x.h5 '' --slab input=0:4; }
of_input() { changes x.h5 '' --slab "$1=0:4"; }
attend_slab() { of_input query; }
nwreg_slab() { of_input queries; }
transformer_run_slab() { of_input ids; }
decode_slab() { of_input ids; }
tconv_slab() { changes x.h5 '' --slab 0:4; }
# Four rows do not go with six of another input.
addnorm_slab() { fails 65 x.h5 --slab input=0:4; }
scores_slab() { fails 65 x.h5 --slab ids=0:4; }
tdiff_slab() {
  tconv x.h5 --slab 0:4 -f -o part.h5
  ! tdiff part.h5 x.h5 >gone && tdiff part.h5 x.h5 --slab b=0:4
}

law_header() { changes numbered.csv '' --header; }
# One row more does not fit the other input.
tdiff_header() { ! run numbered.csv && run numbered.csv --header; }
addnorm_header() { tdiff_header; }
scores_header() { tdiff_header; }
law_no_header() { run named.csv && fails 65 named.csv --no-header; }
law_delim() { ! run semicolons.csv && run semicolons.csv --delim ';'; }
law_comment() { fails 65 commented.csv --no-header && run commented.csv --no-header --comment %; }
law_no_quotes() { fails 65 quoted.csv && run quoted.csv --no-quotes; }
law_missing() { fails 65 missing.csv && run missing.csv --missing omit; }

# Where no table is read, the result has a header and a delimiter.
writes_table() { changes x.h5 '-O csv' "$@"; }
lines_no_header() { writes_table --no-header; }
lines_delim() { writes_table --delim ';'; }
table_no_header() { writes_table --no-header; }
table_delim() { writes_table --delim ';'; }

table slab header no-header delim comment no-quotes missing
