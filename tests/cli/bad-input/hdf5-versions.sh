# A structure of an unknown version is refused by its name: its bytes may mean anything.
while read -r file offset; do
  cp "$FIXTURES/hdf5/$file" later.h5
  printf '\016' | dd of=later.h5 bs=1 seek="$offset" conv=notrunc 2>dd.log
  tconv later.h5 --list 2>&1 >list || echo $?
done <<END
later.h5 8
later.h5 52
plugin.h5 824
plugin.h5 868
plugin.h5 896
plugin.h5 912
plugin.h5 944
plugin.h5 945
attributes.h5 936
attributes.h5 10898
elsewhere.h5 1647
END
