# netCDF numbers the dimensions of a file. A copy of a part has others; with the old numbers, netCDF does not open it.
tconv "$EXAMPLES/nile.nc:/flow" -o part.h5
tconv --list part.h5 | grep Netcdf4 || echo none
