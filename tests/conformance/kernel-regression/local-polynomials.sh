# Degree 0 and 1 by np 0.60-18 (fits, slopes, bandwidths by cv and AICc), degree 1 and 2 by locfit 1.5-9.7, in R 4.2.2.
t=$TESTDIR
. "$SUPPORT/regression_cases.sh"
check_fits "$t/local-polynomials.cases" 1e-12
check_fits "$t/local-slopes.cases" 1e-10
check_fits "$t/locfit.cases" 1e-7
check_chosen "$t/local-polynomials-chosen.cases" 1e-4
