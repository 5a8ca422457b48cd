# An output that exists is not replaced.
echo precious >y.h5
attend -q 1 -k 1 -v 1 -o y.h5 || code=$?
cat y.h5
exit $code
