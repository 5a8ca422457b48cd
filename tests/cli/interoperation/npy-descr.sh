# NPY headers of writers other than NumPy: no byte order, names of types, other blanks.
npy() { # DESCR BYTES
  header="{'descr': '$1',$3 'fortran_order': False, 'shape': (2,), }"
  { printf '\223NUMPY\001\000%b\000%s' "\\0$(printf %o ${#header})" "$header" && printf "$2"; } >x.npy
  tconv x.npy -O csv
}
npy f4 '\000\000\300\077\000\000\000\300' ''
npy float32 '\000\000\300\077\000\000\000\300' "$(printf '\t')"
npy i2 '\001\000\377\377' ''
npy uint8 '\001\377' ''
npy '?' '\001\000' ''
npy bfloat16 '\300\077\000\300' ''
npy '>f4' '\077\300\000\000\300\000\000\000' ''
