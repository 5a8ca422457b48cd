# Runs nwreg on the cases of a file and compares: check_fits FILE TOLERANCE, by both engines, check_chosen FILE TOLERANCE.
# Fields, between tabs: name, options, rows of the result that count (- for all), expected fits, all to TOLERANCE of the
# largest; or name, options, bandwidth, criterion, the bandwidth to TOLERANCE of itself, the criterion to 1e-7.
compare='
  function off(a, b) { return a == b ? 0 : a ~ /nan/ || b ~ /nan/ ? 1e9 : a > b ? a - b : b - a }
  { value[NR - 1] = $1 }
  END {
    count = split(expected, wanted, ",")
    if (rows == "-") for (i = 1; i <= count; ++i) row[i] = i - 1
    else if (split(rows, row, ",") != count) print name ": rows and fits differ"
    for (i = 1; i <= count; ++i) { size = off(wanted[i], 0); if (size < 1e9 && size > largest) largest = size }
    for (i = 1; i <= count; ++i) if (off(value[row[i]], wanted[i]) > tolerance * largest) {
      print name ": row " row[i] " is " value[row[i]] ", expected " wanted[i]; exit }
  }'
check_fits() {
  count=0
  while IFS='	' read -r name options rows expected; do
    for engine in auto reference; do
      eval "nwreg $options --engine $engine -O csv --precision 17 --quiet" | tail -n +2 |
        awk -F, -v name="$name, $engine" -v rows="$rows" -v expected="$expected" -v tolerance="$2" "$compare"
    done
    count=$((count + 1))
  done <"$1"
  echo "$count fits"
}
check_chosen() {
  count=0
  while IFS='	' read -r name options widths criterion; do
    eval "nwreg $options -o out.h5 -f" 2>&1 |
      sed -n 's/.*bandwidth \(.*\) chosen by [a-z:]* ([a-z]* = \(.*\))/\1,\2/p' | tr , '\n' |
      awk -v name="$name" -v widths="$widths" -v criterion="$criterion" -v tolerance="$2" '
        function differs(a, b, share) { return (a > b ? a - b : b - a) > share * (b < 0 ? -b : b) }
        { found[NR] = $1 }
        END {
          count = split(widths, wanted, ",")
          for (i = 1; i <= count; ++i) if (differs(found[i], wanted[i], tolerance))
            print name ": number " i " of the bandwidth is " found[i] ", expected " wanted[i]
          if (differs(found[count + 1], criterion, 1e-7))
            print name ": the criterion is " found[count + 1] ", expected " criterion
        }'
    count=$((count + 1))
  done <"$1"
  echo "$count bandwidths"
}
