# check_gradients NAME: --vjp against PyTorch's gradients in $TESTDIR/NAME.h5, within 1e-10 in double with both engines,
# and in single. A line of NAME.cases is CASE TOOL OPTIONS..., where @TENSOR is that tensor of the case.
check_gradients() {
  failed=0
  tconv "$TESTDIR/$1.h5" --dtype f32 -o single.h5
  while read -r case tool options; do
    case $case in '' | '#'*) continue ;; esac
    for file in "$TESTDIR/$1.h5" single.h5; do
      set -- "$1"
      for option in $options; do
        case $option in @*) set -- "$@" "$file:/$case/${option#@}" ;; *) set -- "$@" "$option" ;; esac
      done
      name=$1 expected=$TESTDIR/$1.h5:/$case/grad
      shift
      if [ $file = single.h5 ]; then
        $tool "$@" --vjp "$file:/$case/dy" -f -o d.h5
        tdiff d.h5 "$expected" --atol 4e-6 --rtol 4e-6 || { echo "$case: single precision differs" && failed=1; }
      else
        for engine in auto reference; do
          $tool "$@" --vjp "$file:/$case/dy" --engine $engine -f -o d.h5
          tdiff d.h5 "$expected" --atol 1e-11 --rtol 1e-10 || { echo "$case: differs ($engine)" && failed=1; }
        done
      fi
      set -- "$name"
    done
  done <"$TESTDIR/$1.cases"
  return $failed
}
