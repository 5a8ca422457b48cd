#!/bin/sh
# From a CSV file to a report: a regression, its picture and its numbers, in Markdown. examples/report.sh [FOLDER]
set -eu
table=$(dirname "$0")/airquality.csv folder=${1-report}
mkdir -p "$folder"

nwreg --quiet -x "$table:/Temp" -y "$table:/Ozone" --bandwidth cv -q linspace=60,95,8 --emit band --with-query \
  --plot "$folder/ozone.png" --plot-size 800x500 -f -o "$folder/ozone.h5"
# How the result was made is in its attributes.
bandwidth=$(tconv --list "$folder/ozone.h5" | sed -n 's/^ *@bandwidth = //p')
{
  cat <<END
# Ozone by temperature

Kernel regression of $(($(wc -l <"$table") - 1)) days in New York, 1973, with the Gaussian kernel. Cross-validation
chose the bandwidth of $(printf %.2f "$bandwidth") F. The band has a confidence level of 95 %.

![Ozone over temperature: the days, the fit and its band](ozone.png)

| temperature (F) | ozone (ppb) | lower | upper |
|---:|---:|---:|---:|
END
  tconv "$folder/ozone.h5:/q" "$folder/ozone.h5:/y" "$folder/ozone.h5:/band" -O csv --no-header --precision 3 |
    sed 's/,/ | /g; s/.*/| & |/'
} >"$folder/report.md"
echo "$folder/report.md"
