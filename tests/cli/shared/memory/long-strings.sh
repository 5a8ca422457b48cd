# Long strings of mixed lengths lie side by side in memory: what the library works in leaves no holes between them, which
# would take more the more strings there are. A few tens of megabytes do not count.
. "$SUPPORT/own-memory.sh"
[ -x /usr/bin/time ] || exit 77
awk 'BEGIN { srand(1); for (w = "x"; length(w) < 70000;) w = w w
             for (i = 0; i < 5000; ++i) print substr(w, 1, 60000 + int(10000 * rand())) }' |
  tconv --no-header -o mixed.h5:/s
limit=400000000
/usr/bin/time -f %M -o kilobytes tconv mixed.h5 -O csv --max-memory $limit >/dev/null
taken=$(cat kilobytes)
[ "$taken" -lt $((limit / 1024 + 45000)) ] || echo "$taken KB, allowed $limit bytes"
