# Categories, ordered and not, beside numbers and alone: R's np 0.60-18 and statsmodels 0.15.
t=$TESTDIR
. "$SUPPORT/regression_cases.sh"
check_fits "$t/np-categories.cases" 1e-12
check_chosen "$t/np-categories-chosen.cases" 1e-4
