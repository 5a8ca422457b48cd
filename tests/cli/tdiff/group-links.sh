# A group may be named by any link to it, hard or soft; lists and copies give the name under which it stands.
cp "$FIXTURES"/hdf5/group-links.h5 a.h5
try() { "$@" || echo "exit code $?"; }
for name in hard soft; do
  try tdiff a.h5:/g a.h5:/$name --strict
  try tdiff a.h5:/$name a.h5:/g --json | grep -c '"equal": true'
done
try tdiff a.h5:/soft-inner a.h5:/hard/inner
try tdiff a.h5 a.h5:/soft/up
try tdiff a.h5:/soft a.h5:/soft/inner
echo "-- lists"
try tconv --list a.h5
try tconv --list a.h5:/soft-inner
try tconv --list a.h5:/hard/up
echo "-- copies"
try tconv a.h5:/hard --no-history -o b.h5
try tconv --list b.h5
try tconv a.h5:/soft/up --no-history | tdiff - a.h5
