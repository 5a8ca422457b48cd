# A missing label is no class: it is refused by name or left out, in text as in numbers, in tables and in literals.
printf 'x,y\n1,u\n2,\n3,v\n6,NA\n7,.\n' >text.csv
printf 'x,y\n1,4\n2,\n3,5\n6,NA\n7,.\n' >numbers.csv
for labels in text numbers; do
  nwreg -x $labels.csv:/x -y $labels.csv:/y --classify --bandwidth 1 -O csv || echo $?
  nwreg -x $labels.csv:/x -y $labels.csv:/y --classify --bandwidth 1 --missing nan -O csv || echo $?
  nwreg -x $labels.csv:/x -y $labels.csv:/y -q f64=1,2.9 --classify --bandwidth 1 --missing omit \
    --emit probabilities --precision 3 -O csv
done
nwreg -x f64=1,nan,3 -y f64=3,4,8 --bandwidth 1 || echo $?
nwreg -x f64=1,nan,3 -y f64=3,4,8 -q 1 --bandwidth 1 --missing omit --precision 4 -O csv
# Nothing comes before the first sample, and there is no nearest one either.
nwreg -x f64=0,1,3 -y f64=1,2,3 --kernel boxcar --bandwidth 1 --causal --loo --empty nearest -O csv
