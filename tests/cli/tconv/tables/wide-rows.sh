# The first thousand rows say what the columns of a table are, also where they are more than a megabyte, and also where
# cells stand in quotes.
awk 'BEGIN {
  for (i = 0; i < 1000; ++i) {
    row = i == 900 ? "9007199254740993" : 1000000000 + i
    for (j = 1; j < 150; ++j) row = row "," 1000000000 + i * 200 + j
    print row
  }
}' >plain.csv
sed 's/[^,]*/"&"/g' plain.csv >quoted.csv
for file in plain quoted; do
  tconv $file.csv --no-header -o $file.h5
  tconv $file.h5 -O csv --no-header | cmp - plain.csv || echo "$file: other numbers"
done
