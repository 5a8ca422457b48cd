# Damage that contradicts itself is bad data, or a truncated input, whatever is done with the file.
expect() { # CODE COMMAND...
  expected=$1 code=0
  shift
  "$@" >out || code=$?
  [ $code -eq "$expected" ] || echo "$*: exit code $code, expected $expected"
}
tconv 2=1,2 -o a.h5:/x --no-history
tconv 2=1,2 -A -o a.h5:/y --no-history
LC_ALL=C sed 's/\x00y\x00\x00/\x00x\x00\x00/' a.h5 >names.h5
expect 65 tconv names.h5
# An end of the file far behind it.
cp a.h5 end.h5
printf '\001' | dd of=end.h5 bs=1 seek=46 conv=notrunc status=none
gzip -k end.h5
expect 66 tconv end.h5
expect 66 tconv end.h5.gz
expect 66 tconv - <end.h5
# An exponent that no float has.
LC_ALL=C sed 's/\x34\x0b\x00\x34\xff\x03/\x34\x0b\x00\x34\xfe\x03/' a.h5 >float.h5
expect 65 tconv float.h5:/x
