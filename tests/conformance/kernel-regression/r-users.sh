# The rows of nwreg(1), "Numbers of R": R 4.2.2 with KernSmooth 2.23-20, locfit 1.5-9.7 and mgcv 1.8-41, and np 0.60-17.
# Each row is the call of R, its numbers, how far nwreg may be from them, and the options.
. "$SUPPORT/try.sh"
c=$TESTDIR
q='-q 5xf64=5,9.5,15,20.25,25'
row() {
  call=$1 numbers=$2 tolerance=$3
  shift 3
  nwreg "$@" --quiet -f -o y.h5
  count=$(echo "$numbers" | tr ',' '\n' | wc -l)
  tdiff 'y.h5:/y[:,0]' "${count}xf64=$numbers" --rtol "$tolerance" --atol 0 || echo "differs: $call"
}
cars() {
  call=$1 numbers=$2 tolerance=$3
  shift 3
  row "$call" "$numbers" "$tolerance" -x "$c/cars.csv:/speed" -y "$c/cars.csv:/dist" $q "$@"
}
cars 'ksmooth(x, y, "box", 5)' 9.5,20.0769230769,39.75,55.8461538462,85.6666666667 1e-10 \
  --kernel boxcar --scale-convention ksmooth --bandwidth 5
cars 'ksmooth(x, y, "normal", 5)' 9.84387753162,22.33551606046,40.36309995738,54.83115871481,85.48753557631 4e-4 \
  --scale-convention ksmooth --bandwidth 5
row 'lowess(x, y, f = 0.5, delta = 0)' 5.54870018039,20.98181665567,36.32145873075,54.65288463869,85.66240117034 1e-10 \
  -x "$c/cars.csv:/speed" -y "$c/cars.csv:/dist" -q 5xf64=4,10,15,20,25 \
  --kernel tricube --degree 1 --bandwidth knn:50% --robust 3
# loess(y ~ x, span = 0.5, degree = D, control = loess.control(surface = "direct")), and locfit(y ~ lp(x, nn = 0.5,
# deg = D), ev = q).
near='--kernel tricube --bandwidth knn:50%'
cars 'loess, degree = 0' 17.3020108556,22.9213361367,40.3349192222,56.2453697086,68.3357793570 1e-10 $near
cars 'loess, degree = 1' 7.9185975405,19.5767981692,40.8106059812,58.8322854063,90.7283106934 1e-10 $near --degree 1
cars 'loess, degree = 2' 8.09728516387,18.00030317034,40.55344507611,54.42071060409,99.76622094562 1e-9 $near --degree 2
cars 'locfit, deg = 2' 8.09728507986,18.00030316975,40.55344507553,54.42071060381,99.76622208595 2e-8 $near --degree 2
cars 'loess, family = "symmetric", iterations = 4' \
  8.09588934616,19.49104038672,36.32145873075,56.38898751804,85.66240117034 1e-9 $near --degree 1 --robust 3
cars 'locfit(y ~ lp(x, h = 4, deg = 2))' 7.99999999914,20.82062511019,40.55344507553,51.66934263635,89.56334266097 1e-9 \
  --kernel tricube --degree 2 --bandwidth 4
cars 'locfit(y ~ lp(x, h = 5, deg = 1), kern = "gauss")' \
  8.29567030315,19.78460200050,40.79726551728,57.80648292812,96.00459925139 1e-9 --degree 1 --bandwidth 2
cars 'locpoly(x, y, degree = 1, bandwidth = 2)' \
  8.29642351343,19.78528569192,40.79695306747,57.80636909347,96.00733400898 1e-4 --degree 1 --bandwidth 2
cars 'locpoly(x, y, drv = 1, degree = 2, bandwidth = 2)' \
  2.16047601100,2.97900217649,3.22021372955,4.13033524035,8.57752534469 1e-2 --degree 2 --bandwidth 2 --derivative
# Penalised splines: near, and not equal.
cars 'gam(y ~ s(x))' 4.97654581992,20.20687255916,40.19832360061,61.78886222694,84.09153516016 0.02 \
  --degree 1 --bandwidth gcv

# supsmu(1:100, Nile, span = 0.2): 2 * floor(0.2 * 100 / 2 + 0.5) + 1 samples.
echo i,y >nile.csv
for y in 1120 1160 963 1210 1160 1160 813 1230 1370 1140 995 935 1110 994 1020 960 1180 799 958 1140 1100 1210 1150 \
  1250 1260 1220 1030 1100 774 840 874 694 940 833 701 916 692 1020 1050 969 831 726 456 824 702 1120 1100 832 764 \
  821 768 845 864 862 698 845 744 796 1040 759 781 865 845 944 984 897 822 1010 771 676 649 846 812 742 801 1040 860 \
  874 848 890 744 749 838 1050 918 986 797 923 975 815 1020 906 901 1170 912 746 919 718 714 740; do
  echo $y
done | awk '{ print NR "," $1 }' >>nile.csv
row 'supsmu' 1134.341991342,1128.131601732,1109.500432900,1072.238095238,826.952380952,863.082251082,848.497835498 1e-11 \
  -x nile.csv:/i -y nile.csv:/y -q 7xf64=1,2,5,11,50,95,100 --kernel boxcar --degree 1 --bandwidth knn:21

# locfit(am ~ lp(wt, h = 2, deg = 1), mtcars, family = "binomial", ev = c(2, 3, 4)).
wt=2.620,2.875,2.320,3.215,3.440,3.460,3.570,3.190,3.150,3.440,3.440,4.070,3.730,3.780,5.250,5.424,5.345,2.200,1.615,\
1.835,2.465,3.520,3.435,3.840,3.845,1.935,2.140,1.513,3.170,2.770,3.570,2.780
am=1,1,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,1,1,0,0,0,0,0,1,1,1,1,1,1,1
row 'locfit, family = "binomial"' 0.9774374030730,0.4921357712590,0.0106443123134 1e-5 \
  -x "32xf64=$wt" -y "32x1xf64=$am" -q 3xf64=2,3,4 --family binomial --kernel tricube --degree 1 --bandwidth 2

# Errors: loess has one sigma = 15.2680813715, so that its se.fit is sigma / sqrt(neff); locfit's is likewise.
nwreg -x "$c/cars.csv:/speed" -y "$c/cars.csv:/dist" $q $near --degree 1 --emit neff -o e.h5
tconv e.h5:/neff -O csv --no-header | awk '{ printf "%.7g ", 15.2680813715 / sqrt($1) } END { print "" }'
echo '7.399187 4.43881 3.539564 3.627523 7.027438 of predict(loess, se = TRUE)'

# np: npreg(y ~ x, bws = h, regtype = "ll"), npregbw(bwmethod = "cv.ls"); for ckertype = "epanechnikov" sqrt5.
for options in '--degree 1' '--kernel parabolic --scale-convention sqrt5'; do
  nwreg -x "$c/cars.csv:/speed" -y "$c/cars.csv:/dist" --bandwidth cv $options --quiet -f -o y.h5
  tconv --list y.h5 --select y | awk '$1 == "@bandwidth-criterion" { printf "%.8g\n", $3 }'
done
