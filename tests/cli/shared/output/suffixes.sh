# A suffix of a format that is not written is refused before any work, unless -O says what to write.
exec 2>&1
printf 'a,b\n1,2\n' >x.csv
for suffix in txt json XLSX parquet zip mat png; do
  softmax x.csv -o "out.$suffix" || echo "exit code $?"
  [ ! -e "out.$suffix" ]
done
softmax x.csv -n -o out.json || echo "exit code $?"
softmax x.csv -O csv -o out.txt
cat out.txt
echo "-- suffixes that say nothing are HDF5, and text results may be .txt"
for name in out out.dat out.run1; do
  softmax x.csv -o $name
  tdiff $name out.txt
done
attend --normalize hard -q str=b -k 2xstr=a,b -v 2xstr=c,d -o found.txt
cat found.txt
