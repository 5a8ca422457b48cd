#!/bin/sh
# A series in a netCDF-4 file, which is an HDF5 file: variables are datasets, and packed numbers are decoded.
# Smooths the flow of the Nile, with a 95 % band, and prints the year in which it falls most: examples/nile.sh [RESULT]
set -eu
series=$(dirname "$0")/nile.nc result=${1-nile.h5}
# --keep carries the variable itself along, with its units.
nwreg --quiet -x "$series:/year" -y "$series:/flow" --bandwidth 5 --emit band,derivative --with-query --keep flow -f -o "$result"
# Two columns, year and slope; the smallest slope first.
tconv "$result:/q" "$result:/derivative" --reshape=-1 --stack 1 -O csv --no-header |
  sort -t , -k 2 -g | awk -F , 'NR == 1 { printf "%d: %.1f km3 a year\n", $1, $2 }'
