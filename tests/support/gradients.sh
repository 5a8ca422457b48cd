# check_gradients NAME: --vjp against PyTorch's gradients in $TESTDIR/NAME.h5, within 1e-10 in double with both engines,
# and in single. Inputs in f16 have the gradients of the same numbers in double, within single precision. A line of
# NAME.cases is CASE TOOL OPTIONS..., where @TENSOR is that tensor of the case.
check_gradients() {
  failed=0 cases=$TESTDIR/$1.cases file=$TESTDIR/$1.h5
  tconv "$file" --dtype f32 -o single.h5
  tconv "$file" --dtype f16 -o half.h5
  tconv half.h5 --dtype f64 -o wide.h5
  while read -r case tool options; do
    case $case in '' | '#'*) continue ;; esac
    expected=$file:/$case/grad
    for engine in auto reference; do
      vjp "$file" --engine $engine
      near "$expected" --atol 1e-11 --rtol 1e-10 || fail "differs ($engine)"
    done
    vjp single.h5
    near "$expected" --atol 4e-6 --rtol 4e-6 || fail "single precision differs"
    vjp wide.h5 && mv d.h5 expected.h5
    vjp half.h5
    near expected.h5 --atol 1e-5 --rtol 1e-5 || fail "gradients of f16 are rounded"
  done <"$cases"
  return $failed
}

# vjp FILE OPTIONS...: the gradients of the case, with the tensors of FILE, in d.h5.
vjp() {
  from=$1
  shift
  for option in $options; do
    case $option in @*) set -- "$@" "$from:/$case/${option#@}" ;; *) set -- "$@" "$option" ;; esac
  done
  $tool "$@" --vjp "$from:/$case/dy" -f -o d.h5
}
near() { tdiff d.h5 "$@"; }
fail() { echo "$case: $1" && failed=1; }
