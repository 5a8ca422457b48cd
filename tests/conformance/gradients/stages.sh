# The gradients of the stages: --vjp against PyTorch's, within 1e-10 in double with both engines, and in single. See
# make.py for stages.h5.
failed=0
tconv "$TESTDIR/stages.h5" --dtype f32 -o single.h5
while read -r case tool options; do
  case $case in '' | '#'*) continue ;; esac
  for file in "$TESTDIR/stages.h5" single.h5; do
    set --
    for option in $options; do
      case $option in @*) set -- "$@" "$file:/$case/${option#@}" ;; *) set -- "$@" "$option" ;; esac
    done
    expected=$TESTDIR/stages.h5:/$case/grad
    if [ $file = single.h5 ]; then
      $tool "$@" --vjp "$file:/$case/dy" -f -o d.h5
      tdiff d.h5 "$expected" --atol 4e-6 --rtol 4e-6 || { echo "$case: single precision differs" && failed=1; }
      continue
    fi
    for engine in auto reference; do
      $tool "$@" --vjp "$file:/$case/dy" --engine $engine -f -o d.h5
      tdiff d.h5 "$expected" --atol 1e-11 --rtol 1e-10 || { echo "$case: differs ($engine)" && failed=1; }
    done
  done
done <"$TESTDIR/stages.cases"
exit $failed
