# The lines, or the report as JSON, go into the file of -o: whole, with the exit code that says whether tensors differ.
tdiff 3=1,2,3 3=1,2.5,3 -o report.txt || echo "exit $?"
cat report.txt
tdiff 3=1,2,3 3=1,2,3 -o report.txt || echo "exit $?"
tdiff nofile.h5 3=1,2,3 -f -o report.txt || echo "exit $?"
wc -l <report.txt
tdiff 3=1,2,3 3=1,2,3 -f -o report.txt && wc -c <report.txt
tdiff 3=1,2,3 3=1,2.5,3 --json -o report.json || echo "exit $?"
grep -c '"differing": 1' report.json
ls
