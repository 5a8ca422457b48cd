#!/bin/sh
# From a clean checkout to results: installs the Debian packages that are missing, builds, and shows the tools at work
# on the data in this directory. May be run again at any time.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/support/setup.sh"
# shellcheck disable=SC2086
install_packages $packages
# A first build is for this processor alone; packages and tests have the kernels of all.
if [ -e "$root/build/CMakeCache.txt" ]; then build tools; else build tools '' -DATTN_LEVELS=native; fi
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

say "A trained transformer, from text to text."
show 'printf "%s\n" "3 mars 2021" "July 4, 1976" "31 dicembre 1999" "1/2/2003" | transformer-run -m dates'

say "The same model as a pipeline, a process for each stage; a layer of its encoder:"
show 'tail -n 2 encoder-layer.sh'
show './dates.sh "3 mars 2021"'
