# lowess of R 4.2.2 and of statsmodels 0.15, with robust iterations and without.
t=$TESTDIR
. "$SUPPORT/regression_cases.sh"
check_fits "$t/lowess.cases" 1e-7
