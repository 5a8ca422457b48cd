# R 4.2.2: predict(loess(dist ~ speed, cars, span = 0.5, degree = 0, 1, 2, control = loess.control(surface = "direct")),
# data.frame(speed = c(5, 9.5, 15, 20.25, 25))), once more of degree 1 with weights = speed / 10, and of airquality's
# complete rows loess(Ozone ~ Wind + Temp, degree = 1, 2, normalize = FALSE, the same) at three places: tricube over the
# nearest half of the samples.
t=$TESTDIR
cars() { nwreg -x "$t/cars.csv:/speed" -y "$t/cars.csv:/dist" -q 5xf64=5,9.5,15,20.25,25 --kernel tricube --bandwidth knn:25 "$@"; }
air() { nwreg -x "$t/airquality.csv:/Wind,Temp" -y "$t/airquality.csv:/Ozone" -q 3x2xf64=5,90,10,75,15,65 --kernel tricube --bandwidth knn:58 "$@"; }
show() { tail -n +2 | awk '{ printf "%.9g ", $1 } END { print "" }'; }
for degree in 0 1 2; do cars --degree $degree -O csv | show; done
awk -F, 'NR > 1 { print $1 / 10 }' "$t/cars.csv" >w.csv
cars --degree 1 --weights w.csv -O csv | show
for degree in 1 2; do air --degree $degree -O csv | show; done
