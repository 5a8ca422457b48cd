# A word in a table of numbers.
printf "1\nx2\n" >k.csv
attend -q 1 -k k.csv -v 2x1xf64=1,2
