#!/bin/sh
# From a clean checkout to results: installs the Debian packages that are missing, builds, and shows the tools at work
# on the data in this directory. May be run again at any time.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/support/setup.sh"
# shellcheck disable=SC2086
install_packages $packages
build tools
PATH="$root/build/bin:$PATH"
cd "$root/examples"

say() { printf '\n# %s\n' "$1"; }
show() {
  printf '$ %s\n' "$1"
  sh -ec "$1"
}

say "Kernel regression: acceleration of the head in a motorcycle crash, at the data and on a grid."
show 'nwreg -x mcycle.csv:/times -y mcycle.csv:/accel --kernel gaussian --bandwidth 1.5 -O csv | head -n 4'
show 'nwreg -x mcycle.csv:/times -y mcycle.csv:/accel -q linspace=2,58,113 --kernel gaussian --bandwidth 1.5 |
  tplot --scatter -x mcycle.csv:/times mcycle.csv:/accel --fit - --fit-x linspace=2,58,113 --size 79x22 -o -'

say "A pipe of stages: positions, multi-head attention, residual and norm, attention over a database of keys and values."
show 'model=dates/model.safetensors
layer=$model:/transformer.encoder.layers.0
echo "3 mars 2021" | tokenize -m dates -O h5 | embed -w $model:/embedding | posenc |
  mha -w $layer.self_attn --keep-input | addnorm -w $layer.norm1 |
  attend -q - -k $model:/embedding.weight -v $model:/embedding.weight -O csv --precision 3 | cut -d, -f1-8'

say "A trained transformer, from text to text."
show 'transformer-run -m dates "3 mars 2021"'
show 'printf "%s\n" "July 4, 1976" "31 dicembre 1999" "1/2/2003" | transformer-run -m dates'
