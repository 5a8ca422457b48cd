# Integers beyond 2^53 are listed with all their digits, like those below.
command -v script >/dev/null || { echo "script (bsdutils) is not installed" >&2; exit 77; }
tconv 3xi64=-9223372036854775808,9007199254740993,9223372036854775807 --no-history -o a.h5:/i64
tconv 2xu64=18446744073709551615,9007199254740993 --no-history -o a.h5:/u64 -A
tconv 2xu8=255,7 --no-history -o a.h5:/u8 -A
tconv 2xbool=1,0 --no-history -o a.h5:/bool -A
tconv 0xi64= --no-history -o a.h5:/none -A
tconv 3xf64=9007199254740993,nan,-inf --no-history -o a.h5:/f64 -A
tconv --list --values a.h5
tconv --list --values --json a.h5 | grep -e '"name"' -e '"min"' -e '"max"'
echo "-- the summary and the preview"
tconv a.h5:/u64 --stats -o b.h5 2>&1
script -qec 'tconv a.h5:/i64' /dev/null </dev/null | tr -d '\r'
