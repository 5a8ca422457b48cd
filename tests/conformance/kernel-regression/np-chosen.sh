# np 0.60-17 (R 4.2.2): npregbw with nmulti = 10 chooses, by cv.ls and cv.aic,
#   waiting ~ eruptions of faithful       h = .2614070582, CV = 32.29605883; h = .2412244623, AICc = 4.479304652
#   dist ~ speed of cars, epanechnikov    h = 1.788854382, CV = 249.8358022
#   dist ~ speed, regtype = "ll"          h = 4.92288887, CV = 242.7455996
#   accel ~ times of mcycle, "ll"         h = 1.475794021, CV = 561.3394535; h = 1.644501234, AICc = 7.433882231
# Criteria agree to all digits, widths to those that the criterion can tell.
choose() {
  data=$TESTDIR/$1.csv
  x=$2 y=$3
  shift 3
  nwreg -x "$data:/$x" -y "$data:/$y" "$@" --quiet -o y.h5 -f
  tconv --list y.h5 | awk '$1 == "@bandwidth" { printf "%.5g ", $3 } $1 == "@bandwidth-criterion" { printf "%.10g\n", $3 }'
}
choose faithful eruptions waiting --bandwidth cv
choose faithful eruptions waiting --bandwidth aicc
choose cars speed dist --kernel parabolic --scale-convention sqrt5 --bandwidth cv
choose cars speed dist --degree 1 --bandwidth cv
choose mcycle times accel --degree 1 --bandwidth cv
choose mcycle times accel --degree 1 --bandwidth aicc
# npreg with gradients at times 10, 20, 30, h = 2: degree 0, then "ll".
for degree in 0 1; do
  nwreg -x "$TESTDIR/mcycle.csv:/times" -y "$TESTDIR/mcycle.csv:/accel" -q 3=10,20,30 --bandwidth 2 --degree $degree \
    --emit derivative -O csv | tail -n +2 | awk -F, '{ printf "%.10g %.10g\n", $1, $2 }'
done
