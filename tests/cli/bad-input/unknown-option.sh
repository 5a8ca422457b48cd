# A typo of an option gets one line and a hint.
trap 'ls -A' EXIT
attend -q 1x1=1 -k 1x1=1 -v 1x1=1 --casual -o out.h5
