# Finite rows have finite norms, up to the largest numbers that there are.
addnorm --no-residual 1x3xf64=1e308,-1e308,0 --precision 6 -O csv
addnorm --no-residual 1x3xf64=1e200,2e200,3e200 --kind rms --precision 6 -O csv
addnorm --no-residual 1x3xf64=1e308,-1e308,0 --engine reference --precision 6 -O csv
