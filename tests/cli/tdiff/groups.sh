# Groups are compared as files are: what is in them is matched by its name there.
tconv 2=1,2 -o a.h5:/g/x
tconv 3=1,2,3 -A -o a.h5:/g/deep/y
tconv 1=5 -A -o a.h5:/other
tconv a.h5 --rename g/x=h/x,g/deep/y=h/deep/y -o b.h5
tdiff a.h5:/g b.h5:/h
tconv b.h5:/h --select '*' --rename h/x=x,h/deep/y=deep/y -o c.h5
tdiff a.h5:/g c.h5
tdiff c.h5 b.h5:/h/
tconv 3=1,2,4 -f -A -o b.h5:/h/deep/y
tconv 1=1 -A -o b.h5:/h/more
differs() {
  code=0
  tdiff "$@" || code=$?
  echo "exit code $code"
}
differs a.h5:/g b.h5:/h
differs a.h5:/g/x a.h5:/g
differs a.h5:/nothing a.h5:/g
# Attributes of the groups themselves are compared under --strict.
cp "$FIXTURES/hdf5/attributes.h5" attributes.h5
tconv attributes.h5:/enc/q -o plain.h5:/q
tdiff attributes.h5:/enc plain.h5
differs attributes.h5:/enc plain.h5 --strict
