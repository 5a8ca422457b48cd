# Dimensions of netCDF in copies: of a coordinate of characters, which has two, and one that grows without coordinates.
station=$FIXTURES/hdf5/netcdf-station.nc wrf=$FIXTURES/hdf5/netcdf-wrf.nc
tconv() { command tconv --no-history "$@"; }
tconv "$station" -o station.nc
tconv "$station:/temp" -o temp.nc
tconv "$station:/temp[station=Oslo:Rome]" -o part.nc
tconv "$station:/temp[station=Rome]" -o rome.nc
tconv "$station:/station" -o names.nc
tconv "$wrf" -o wrf.nc
tconv "$wrf:/T2" -o t2.nc
tconv "$wrf:/T2[1:]" -o last.nc
cp wrf.nc both.nc
tconv "$station:/temp" -A -o both.nc
for file in station temp part rome names wrf t2 last both; do
  echo "-- $file"
  tconv --list $file.nc | grep -E '^[^@ ]|DIMENSION_LIST|Netcdf4'
done
tdiff station.nc "$station"
tdiff wrf.nc "$wrf"
tdiff part.nc:/temp "$station:/temp[:2]"
tconv 'station.nc:/temp[station=Paris]' -O csv
echo "-- messages in dates"
for part in time=2001-02 time=1999-01-01:1999-02-01; do tconv "station.nc:/temp[$part]" 2>&1 || echo $?; done
# What netCDF itself reads.
/usr/bin/python3 -c 'import netCDF4' 2>/dev/null || exit 0
/usr/bin/python3 - <<'end'
import glob, netCDF4
expected = {"station": ("station", "n"), "temp": ("station", "time"), "time": ("time",), "Times": ("Time", "DateStrLen"),
            "T2": ("Time", "west_east")}
for name in glob.glob("*.nc"):
    with netCDF4.Dataset(name) as file:
        for variable in file.variables.values():
            variable[:]
            dimensions = expected[variable.name][-variable.ndim:]
            assert variable.dimensions == dimensions, (name, variable.name, variable.dimensions)
end
