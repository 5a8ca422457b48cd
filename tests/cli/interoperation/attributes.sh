# Attributes of datasets, groups and files keep their dtype, shape and every bit from HDF5 to HDF5, and lists show them.
cp "$FIXTURES"/hdf5/attributes.h5 a.h5
tconv --list a.h5
echo "-- copies"
tconv a.h5 -o b.h5
tconv --list b.h5 | grep -v '^@history\|not readable' >copied
tconv --list a.h5 | grep -v 'not readable' | diff - copied
cat a.h5 | tconv --quiet - | tee c.h5 | cat >d.h5
tdiff --strict b.h5 c.h5
cat c.h5 d.h5 | tconv - -o e.h5
head -c "$(od -A n -t u8 -j 40 -N 8 e.h5)" e.h5 >first.h5
tdiff --strict first.h5 b.h5
tconv --quiet a.h5 -f -o c.h5 && tconv --quiet a.h5 -f -o d.h5 && cmp c.h5 d.h5
h5dump -a /x/beyond b.h5 | grep '(0)'
h5dump -a /enc/units b.h5 | grep '(0)'
h5diff -c --exclude-attribute /history b.h5 c.h5
echo "-- json"
tconv --list --json a.h5 | tr -d ' \n' | grep -o '"attributes":{[^}]*}'
tconv --list --json a.h5 | tr -d ' \n' | grep -o '"unreadable_attributes":[^]]*]'
echo "-- parts"
tconv --quiet a.h5:/enc --no-history -o part.h5 && tconv --list part.h5
tconv --quiet a.h5:/enc/q --no-history -o part.h5 -f && tconv --list part.h5
tconv --quiet a.h5 --select x --no-history -o part.h5 -f && tconv --list part.h5 | grep -v ' @'
tconv --quiet a.h5 --select 'enc/*' --rename enc/q=q --no-history -o part.h5 -f && tconv --list part.h5
echo "-- several files"
tconv 1=1 -o one.h5:/y --no-history
tconv --quiet a.h5 -A -o one.h5 --no-history
tconv --list one.h5 | head -n 3
tconv --quiet b.h5:/enc -A -o one.h5 -f --no-history
tdiff --strict one.h5:/enc/q a.h5:/enc/q
echo "-- other formats"
tconv --quiet a.h5 --no-history -o a.safetensors && tconv --list a.safetensors
tconv a.safetensors --no-history -o back.h5 && tconv --list back.h5
tconv --quiet a.h5:/enc/q -O csv
echo "-- strict"
tconv --quiet a.h5 -o same.h5
tdiff same.h5 b.h5 --strict
tdiff a.h5 b.h5
tdiff a.h5 b.h5 --strict 2>&1 || echo $?
tconv back.h5 -o more.h5
tdiff back.h5 b.h5 --strict --json >report || echo $?
tdiff back.h5 b.h5 --strict || echo $?
grep -c '"@' report || true
# Formats that keep no attributes lose none in particular.
tconv "$FIXTURES/hdf5/attributes.h5:/x" -o without.npy
