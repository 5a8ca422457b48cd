# -0 is a float: beside whole numbers that f64 would round it is an error or, in a column of its own, itself.
printf 'a\n-0\n9007199254740993\n' | tconv -O csv || echo "exit code $?"
tconv 2xf64=-0,3 --rename y=zero -o two.h5
tconv 2xi64=9007199254740993,1 --rename y=n -A -o two.h5
tconv two.h5 -o two.csv
cat two.csv
tconv two.csv --reshape 2 -o back.h5
for column in zero n; do
  tconv back.h5:/$column -f -o back.npy
  tconv two.h5:/$column -f -o was.npy
  cmp back.npy was.npy
done
