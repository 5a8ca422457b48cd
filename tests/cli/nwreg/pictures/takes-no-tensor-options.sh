# A picture in place of the result refuses what asks for tensors, of samples and of kernels alone.
command -v gnuplot >/dev/null || { echo "gnuplot is not installed" >&2; exit 77; }
refused() { nwreg "$@" >out 2>errors && echo "$*: accepted" || sed 's/^nwreg: \([^:]*\): .*this result is/\1:/' errors; }
while read -r options; do
  # shellcheck disable=SC2086
  refused -x 3xf64=1,2,3 -y 3xf64=1,2,4 --bandwidth 1 --plot - $options
  # shellcheck disable=SC2086
  refused --plot-kernel k.svg $options
done <<END
--keep-input
--keep zz
--check 3=1
END
[ ! -e k.svg ]
nwreg -x 3xf64=1,2,3 -y 3xf64=1,2,4 --bandwidth 1 --plot fit.svg --stats -O csv --precision 2 2>/dev/null | wc -l
