# A string of NPY is made of characters.
array() {
  header="{'descr': '<U1', 'fortran_order': False, 'shape': (1,), }"
  # shellcheck disable=SC2059
  printf "\\223NUMPY\\001\\000\\$(printf %03o ${#header})\\000%s$1" "$header"
}
array '\344\000\000\000' | tconv -O csv --no-header | tail -n 1
for code in '\000\330\000\000' '\000\000\021\000' '\377\377\377\377'; do
  array "$code" | tconv -O csv && echo "$code passes"
done
exit 0
