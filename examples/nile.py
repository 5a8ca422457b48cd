"""Writes nile.nc, a netCDF-4 file, from the series that comes with statsmodels."""
import netCDF4
import statsmodels.api as sm

series = sm.datasets.nile.load_pandas().data
with netCDF4.Dataset("nile.nc", "w", format="NETCDF4") as file:
    file.title = "Annual flow of the Nile at Aswan"
    file.source = "statsmodels, datasets.nile; Cobb 1978, Biometrika 65"
    file.Conventions = "CF-1.8"
    file.createDimension("year", len(series))
    year = file.createVariable("year", "i2", "year")
    year[:] = series["year"]
    # Packed, as large archives are: flow = 0.1 * stored.
    flow = file.createVariable("flow", "i2", "year", fill_value=-1)
    flow.long_name, flow.units, flow.scale_factor = "volume of a year", "km3", 0.1
    flow[:] = series["volume"] / 10
