# Legends in a picture of a paper's column: names in several columns above, whole where there is room; other marks when
# the colours are used up; points beside a fit have a name.
command -v gnuplot >/dev/null || { echo "gnuplot is not installed" >&2; exit 77; }
legend() { # FILE: the y of the rows of names, how many there are, and the names
  sed -n 's/.*<g transform="translate(\([0-9.]*\),\([0-9.]*\)).*/\2/p; s/.*<text>\(.*[a-z][a-z].*\)<\/text>.*/\1/p' "$1" |
    awk '/[a-z][a-z]/ { print y "\t" $0 } { y = $0 }'
}
waves() { # NAME: t and twelve columns that fill the picture
  awk -v name="$1" 'BEGIN {
    for (row = 0; row <= 60; ++row) {
      printf row == 0 ? "t" : row
      for (c = 1; c <= 12; ++c) printf(row == 0 ? "," name c : "," sin(row / 9 + c) + c / 5)
      print ""
    }
  }'
}
draw() { tplot -x lab.csv:/0 lab.csv:/1,2,3,4,5,6,7,8,9,10,11,12 -f -o lab.svg "$@"; }
for name in sensor_ relative_humidity_ 'temperature of the cooling water in loop '; do
  waves "$name" >lab.csv
  draw --scatter --size 420x300
  legend lab.svg >names
  echo "$(cut -f 1 names | sort -u | wc -l) rows: $(cut -f 2 names | paste -s -d '|')"
done
grep -o "href='#gpPt[0-9]*'" lab.svg | sort | uniq -c
draw --curves
legend lab.svg | cut -f 2 | head -n 1
printf 't,dose\n1,2\n2,4\n3,3\n' >own.csv
tplot --scatter -x own.csv:/t own.csv:/dose --fit 3=2,3,3 --band 3x2=1,3,2,4,2,4 --size 420x300 -o fit.svg
legend fit.svg | cut -f 2
tplot --scatter 3=2,4,3 --fit 3=2,3,3 -o plain.svg
legend plain.svg | cut -f 2
