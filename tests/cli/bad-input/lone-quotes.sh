# A quote that stands for itself, as a token or a ditto mark, swallows no row: where it would, the line and the option
# are named, and --no-quotes reads all rows. The lines of the first table are those of a corpus without quoting.
printf 'token\tcount\nHe\t1\n"\t2\nyes\t3\n"\t4\nend\t5\n' >tokens.tsv
printf 'name,place,n\nAnn,Oslo,1\nBob,",2\nCid,",3\nDan,Rome,4\n' >ditto.csv
printf 'name,place\nAnn,Oslo\nBob,"\r\nCid,"\r\n' >last.csv
printf 'a|b\n"|1\n\n# no row\nx|2\n"|3\n' >bars.txt
printf 'a b\n" 1\nx 2\n" 3\n' >blanks.txt
printf 'place\nOslo\n"\n' >odd.csv
both() { # FILE OPTION...
  tconv --list "$@" 2>&1 || echo "exit $?"
  tconv --list "$@" --no-quotes | grep -v @
}
both tokens.tsv
both ditto.csv
both last.csv --header
both bars.txt --delim '|'
both blanks.txt --delim ' '
both odd.csv --header
attend --normalize hard -q str=yes -k tokens.tsv:/token -v tokens.tsv:/count -O csv --no-quotes
tconv tokens.tsv:/token --no-quotes -O csv
# Cells with line ends are what they were. If each of their lines might be a row, a note says so.
printf 'text,n\n"a\nb, c",1\n"\n",2\n' >lines.csv
printf '"weight\n(kg)","height\n(cm)"\n1,2\n' >names.csv
tconv lines.csv:/text -O csv 2>&1
tconv --list names.csv 2>&1
printf 'address,n\n"12 Main St, Springfield\nUSA",5\n"1 High St, York\nUK",6\n' >addresses.csv
tconv --list addresses.csv 2>&1
tconv addresses.csv:/n -O csv 2>&1
printf 'prompt\n"a\nb"\n' >prompts.csv
tconv prompts.csv -O csv --header 2>&1
