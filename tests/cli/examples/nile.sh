# netCDF-4: variables are datasets, packed numbers are decoded, and the variable that is carried along keeps its units.
"$EXAMPLES/nile.sh" nile.h5
tconv "nile.h5:/flow[:3]" -O csv --no-header
tconv --list --select flow nile.h5 | grep units
