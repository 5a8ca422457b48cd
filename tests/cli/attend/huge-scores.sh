# Scores beyond the range of f32 on the way end as the numbers of the reference engine.
pool() { attend -q 2x2xf32=1e30,2e30,-1e30,3e30 -k 3x2xf32=1e30,1e30,2e30,-1e30,1e30,2e30 -v 3xf32=1,2,4 "$@"; }
pool -O csv
pool --engine reference -O csv
pool --score gaussian -O csv
pool --causal -O csv
