# --eps is added to a variance: a finite number of 0 or more.
for eps in -1 -2 nan inf; do addnorm --no-residual 1x2=1,2 --eps $eps || echo "exit $?"; done
addnorm --no-residual 1x2=1,3 --eps 0 | tdiff - 1x2=-1,1
