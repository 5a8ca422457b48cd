# A kernel that reaches no key leaves the query to --empty under hard too, with weights and a look-up that agree.
far() { attend --normalize hard -q 1000 -k 3x1=1,2,3 -v 3x1=10,20,30 -O csv --no-header "$@"; }
far --score boxcar
far --score boxcar --empty nan
far --score triangular --empty nearest --emit weights,topk=1
far --score triangular --empty nearest --engine reference --emit weights,topk=1
far --score parabolic --engine reference --empty nan
attend --normalize hard --nearest --score triangular -q 1000 -k 3x1=1,2,3 -v str=a,b,c
# At the very border the weight of a closed kernel is 1, of the others 0.
attend --normalize hard -q 2 -k 2x1=5,4 -v 2x1=10,20 --bandwidth 2 --score boxcar -O csv --no-header
attend --normalize hard -q 2 -k 2x1=5,4 -v 2x1=10,20 --bandwidth 2 --score triangular -O csv --no-header --quiet
