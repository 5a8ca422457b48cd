# Matrices in the text of Matrix Market, sparse and dense, written by hand as scipy.io.mmwrite writes them.
. "$SUPPORT/try.sh"
matrix() { # FORM FIELD SYMMETRY < SIZES AND ELEMENTS
  printf '%%%%MatrixMarket matrix %s %s %s\n%% a comment\n\n' "$@" && cat
}
{ echo 3 4 3 && echo 1 1 2.5 && echo 3 2 1 && echo 3 4 -4; } | matrix coordinate real general >sparse.mtx
tdiff sparse.mtx 3x4=2.5,0,0,0,0,0,0,0,0,1,0,-4
tdiff 'sparse.mtx[::-2,1:]' 2x3=1,0,-4,0,0,0
gzip -c sparse.mtx | tdiff - sparse.mtx
tconv sparse.mtx --delim ' ' --comment % -O csv
softmax sparse.mtx -O csv | head -n 2
printf '2 2\n1\n2\n3\n4\n' | matrix array integer general | tconv -O csv --no-header
printf '2 2\n1\n2\n3\n' | matrix array real symmetric | tconv -O csv --no-header
printf '3 3\n1\n2\n3\n' | matrix array real skew-symmetric | tconv -O csv --no-header
printf '2 2 2\r\n1 1 5\r\n2 1 6\r\n' | matrix coordinate integer symmetric | tconv -O csv --no-header
printf '2 2 1\n2 1 6\n' | matrix coordinate real skew-symmetric | tconv -O csv --no-header
printf '2 2 2\n1 1 5\n1 1 6\n' | matrix coordinate real general | tconv -O csv --no-header
printf '2 2 1\n1 2\n' | matrix coordinate pattern general | tconv --list
echo '%%matrixMARKET MATRIX Array Real General
1 1
7' | tconv -O csv
echo "-- errors"
refuse() { # HEADER LINES
  # shellcheck disable=SC2086 # three words
  printf "$2" | matrix $1 >m.mtx
  try tconv m.mtx -O csv
}
refuse 'coordinate complex general' '1 1 1\n1 1 2 3\n'
refuse 'coordinate real odd' '1 1 1\n1 1 2\n'
refuse 'array pattern general' '1 1\n'
refuse 'coordinate real general' ''
refuse 'coordinate real general' '2 2\n'
refuse 'coordinate real general' '2 2 1 1\n'
refuse 'coordinate real general' '99999999999 99999999999 0\n'
refuse 'coordinate real symmetric' '2 3 0\n'
refuse 'coordinate real general' '2 2 2\n1 1 5\n'
refuse 'coordinate real general' '2 2 1\n1 1 5\n2 2 6\n'
refuse 'coordinate real general' '2 2 1\n3 1 5\n'
refuse 'coordinate real general' '2 2 1\n1 0 5\n'
refuse 'coordinate real general' '2 2 1\n1 1\n'
refuse 'coordinate real general' '2 2 1\n1 1 5 6\n'
refuse 'coordinate real general' '2 2 1\n1 1 x\n'
refuse 'coordinate integer general' '2 2 1\n1 1 2.5\n'
refuse 'coordinate integer general' '1 1 2\n1 1 9223372036854775807\n1 1 1\n'
refuse 'coordinate real skew-symmetric' '2 2 1\n1 1 5\n'
try tconv sparse.mtx -o copy.mtx
