# Attention with a Gaussian score is Nadaraya-Watson regression.
attend --score gaussian --bandwidth 2 -q 15 -k "$EXAMPLES/mcycle.csv:/times" -v "$EXAMPLES/mcycle.csv:/accel" --precision 9 -O csv >attend.csv
nwreg -x "$EXAMPLES/mcycle.csv:/times" -y "$EXAMPLES/mcycle.csv:/accel" -q 15 --kernel gaussian --bandwidth 2 --precision 9 -O csv >nwreg.csv
cmp attend.csv nwreg.csv
