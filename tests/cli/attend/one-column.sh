# A column of text, or a list, is queries of width 1; one number is one query.
attend -q linspace=0,2,3 -k 3x1xf64=0,1,2 -v 3x1xf64=10,20,30 --normalize hard --score gaussian -O csv --no-header
attend -q 2 -k 3x1xf64=0,1,2 -v 3x1xf64=10,20,30 --normalize hard --score gaussian -O csv
