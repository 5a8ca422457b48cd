# make -j builds the parts and the result, and after a part is lost only what depends on it.
command -v make >/dev/null || { echo 'needs make' >&2; exit 77; }
posenc --length 30000 --dim 4 --dtype f32 -o k.h5
cat >Makefile <<'M'
parts = $(foreach i,$(shell seq 5),part-$i.h5)
y.h5: $(parts); tmerge $^ -f -o $@
part-%.h5: k.h5; attend -q 'k.h5:/y[:4]' -k k.h5 -v k.h5 --shard $*/5 --emit state -f -o $@
M
make -s -j 2
attend -q 'k.h5:/y[:4]' -k k.h5 -v k.h5 -o one.h5
tdiff y.h5 one.h5 --ulp 0
rm part-4.h5
make -s -n
make -s -j 2
tdiff y.h5 one.h5 --ulp 0
