# Sourced by examples/quickstart.sh, tests/run.sh and tests/machines.sh: the Debian packages that the project needs, and
# the build.
# The caller sets `root` to the checkout.

libraries="libcli11-dev libxtensor-dev libxtensor-blas-dev libopenblas-dev libhdf5-dev zlib1g-dev doctest-dev
  nlohmann-json3-dev libutf8proc-dev libonig-dev libsentencepiece-dev libpng-dev libjpeg-dev
  libaec-dev libblosc-dev libbz2-dev liblz4-dev libxxhash-dev libzstd-dev"
packages="g++ cmake ninja-build pkg-config $libraries gnuplot-nox"

# Installs those of the packages that are missing; says so, and does nothing when none is.
install_packages() {
  missing=
  for package in "$@"; do
    case $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) in
      installed*) ;;  # perhaps for several architectures
      *) missing="$missing $package" ;;
    esac
  done
  [ -n "$missing" ] || return 0
  echo "Installing Debian packages:$missing"
  # shellcheck disable=SC2086
  if as_root apt-get update -qq </dev/null && with_progress packages as_root \
    env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing; then return 0; fi
  echo "The packages could not be installed. As root: apt-get update && apt-get install --no-install-recommends$missing" >&2
  return 1
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# Builds what has changed: everything, or the target that is named. Into build/, with warnings as errors where CI is set;
# with a preset that is named into build-PRESET/. Further arguments are options of CMake.
build() {
  target=${1:-all} preset=${2:-release} folder=$root/build${2:+-$2}
  [ -n "${2:-}" ] || [ -z "${CI:-}" ] || preset=ci
  shift $(($# < 2 ? $# : 2))
  echo "Building into ${folder##*/}/ (preset $preset); the first time takes some minutes"
  mkdir -p "$folder"
  cmake -S "$root" --preset "$preset" "$@" >"$folder/configure.log" 2>&1 || {
    cat "$folder/configure.log" >&2
    return 1
  }
  with_progress build cmake --build "$folder" --target "$target"
}

# Runs a command and shows how far it is. Its output goes into build/$1.log, whose end is shown when it fails.
with_progress() {
  log=$root/build/$1.log
  shift
  mkdir -p "$root/build"
  { "$@" </dev/null 2>&1 || echo "exit code $?"; } | show_progress || {
    tail -n 60 "$log" >&2
    return 1
  }
}

# The lines of a build, "[12/345] ...", or of apt-get become one line that moves: steps done, and the time left by the
# pace so far. Without a terminal it is a line for each tenth.
show_progress() {
  start=$(date +%s) shown=0 done=0 all=0 elapsed=0 failed=0
  : >"$log"
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$log"
    case $line in
      \[[1-9]*/[0-9]*\]*) counts=${line%%]*} counts=${counts#[} done=${counts%/*} all=${counts#*/} ;;
      # A package is fetched, unpacked and set up.
      *" newly installed, "*) all=${line#*upgraded, } all=$((3 * ${all%% *})) ;;
      Get:* | Unpacking* | "Setting up"*) done=$((done + 1)) ;;
      "exit code "*) failed=1 ;;
      *) continue ;;
    esac
    if [ "$done" -eq 0 ] || [ "$done" -gt "$all" ]; then continue; fi
    elapsed=$(($(date +%s) - start)) left=
    if [ "$done" -ge 10 ] && [ "$done" -lt "$all" ]; then left=", about $((elapsed * (all - done) / done / 60 + 1)) min left"; fi
    if [ -t 1 ]; then
      printf '\r  %d of %d steps%-25s' "$done" "$all" "$left"
    elif [ $((done * 10 / all)) -gt $shown ]; then
      shown=$((done * 10 / all))
      printf '  %d of %d steps%s\n' "$done" "$all" "$left"
    fi
  done
  if [ -t 1 ]; then printf '\r%-50s\r' ''; fi
  if [ "$done" -gt 0 ]; then printf '  %d steps in %d min %d s\n' "$done" $((elapsed / 60)) $((elapsed % 60)); fi
  return $failed
}
