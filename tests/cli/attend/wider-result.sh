# Results in a wider type than the query's are not rounded to that first.
attend --score dot -q 1x1xf16=300 -k 1x1xf16=300 -v 1x1xf16=1 --emit lse,scores --dtype f32 -O csv
attend --score dot --normalize none -q 1x1xf16=300 -k 1x1xf16=300 -v 1x1xf16=1 --dtype f32 -O csv --no-header
attend -q 1x1xbf16=1 -k 3x1xf32=1,2,3 -v 3x1xf32=1,2,3 --dtype f32 -O csv --no-header --precision 5
attend -q 1x1xbf16=1 -k 3x1xf32=1,2,3 -v 3x1xf32=1,2,3 -O csv --no-header
