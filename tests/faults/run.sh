#!/bin/sh
# One call fails, and in the next run the one after it: tests/faults/run.sh [TOOL]...
#
# A small run of each tool is repeated with the first, second, third ... allocation, open, read, write, fsync or rename
# failing (faults.cpp). It must end; with 0 or an exit code of faults; say one line unless it ends with 0; leave the old
# output or the new one, whole, and no other file.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
BUILD=${BUILD:-$root/build}
export PATH="$BUILD/bin:$PATH" LC_ALL=C.UTF-8 TERM=dumb OMP_NUM_THREADS=1
[ $# -gt 0 ] || set -- addnorm attend embed ffn linear loss mha nwreg optimize posenc softmax tconv tdiff tmerge tokenize transformer-run
passed=0 failed=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/out" && cd "$work" || exit 1

printf '1,2\n3,4\n' >a.csv
tconv a.csv -o a.h5
tconv a.csv -o a.npy
printf 'march 4, 1996\n' >a.txt
tconv "$root/tests/fixtures/layers/layers.h5" -o layers.safetensors
attend -q a.h5 -k a.h5 -v a.h5 --emit state -o part.h5

# arguments_of TOOL FILE: what it is given.
arguments_of() {
  case $1 in
    addnorm) echo "$2" --residual "$2" ;;
    attend) echo -q "$2" -k "$2" -v "$2" ;;
    embed) echo -w "$2" 1xi64=1 ;;
    ffn) echo layers.safetensors:/x -w layers.safetensors:/ffn ;;
    linear) echo "$2" -w "$2" ;;
    loss) echo "$2" --target "$2" --kind mse ;;
    mha) echo layers.safetensors:/x -w layers.safetensors:/self_attn --heads 2 ;;
    nwreg) echo -x 3xf64=1,2,4 -y 3xf64=1,3,2 --bandwidth 1 ;;
    optimize) echo -w "$2" -g "$2" --optimizer sgd --lr 1 ;;
    posenc) echo --length 3 --dim 4 ;;
    softmax | tconv) echo a.csv ;;
    tdiff) echo "$2" a.csv ;;
    tmerge) echo part.h5 ;;
    tokenize | transformer-run) echo -m "$root/examples/dates" ;;
  esac
}
# Where memory fails, files are NPY: libhdf5 does not survive that.
output_of() {
  case $1-$2 in
    tdiff-* | transformer-run-*) echo out/y.txt ;;
    tokenize-allocate) echo out/y.safetensors ;;
    *-allocate) echo out/y.npy ;;
    *) echo out/y.h5 ;;
  esac
}

say() {
  failed=$((failed + 1))
  echo "FAILED: $*"
}

# run_with TOOL KIND:N: the tool with a fault, and with the old output before it.
run_with() {
  rm -f out/* out/.[!.]*
  printf old >"$output"
  # shellcheck disable=SC2046
  timeout 20 env FAULT="$2" FAULT_LEFT=calls LD_PRELOAD="$BUILD/tests/libfaults.so" \
    "$1" $(arguments_of "$1" "$input") -f -o "$output" <a.txt 2>said
}

for tool; do
  for kind in allocate open read write sync rename; do
    [ "$tool-$kind" != tmerge-allocate ] || continue  # it reads HDF5 alone
    output=$(output_of "$tool" $kind) input=a.h5
    [ $kind != allocate ] || input=a.npy
    if ! run_with "$tool" $kind:0; then
      say "$tool: $(cat said)"
      break
    fi
    cp "$output" new
    calls=$(cat calls) n=1
    while [ "$n" -le "$calls" ]; do
      run_with "$tool" "$kind:$n"
      code=$?
      case $code in
        0) cmp -s new "$output" || say "$tool: $kind $n failed, and the output of a run that says nothing is another" ;;
        66 | 71 | 73 | 74)
          [ "$(wc -l <said)" -eq 1 ] || say "$tool: $kind $n: says $(cat said)"
          [ "$(cat "$output")" = old ] || cmp -s new "$output" || say "$tool: $kind $n: neither the old output nor the new one"
          ;;
        *) say "$tool: $kind $n: exit code $code, $(cat said)" ;;
      esac
      [ "$(ls -A out)" = "${output#out/}" ] || say "$tool: $kind $n: leaves $(ls -A out)"
      passed=$((passed + 1)) n=$((n + 1))
    done
  done
done
echo "$((passed - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
