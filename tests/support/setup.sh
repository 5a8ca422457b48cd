# Sourced by examples/quickstart.sh and tests/run.sh: the Debian packages that the project needs, and the build.
# The caller sets `root` to the checkout.

packages="g++ gfortran cmake ninja-build pkg-config
  libcli11-dev libxtensor-dev libxtensor-blas-dev libxsimd-dev libopenblas-dev libhdf5-dev zlib1g-dev doctest-dev
  nlohmann-json3-dev libutf8proc-dev libonig-dev libsentencepiece-dev libpng-dev libjpeg-dev
  gnuplot-nox"

# Installs those of the packages that are missing; says so, and does nothing when none is.
install_packages() {
  missing=
  for package in "$@"; do
    case $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) in
      installed) ;;
      *) missing="$missing $package" ;;
    esac
  done
  [ -n "$missing" ] || return 0
  as_root=
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || {
      echo "these Debian packages are missing, and sudo is too; as root: apt-get install$missing" >&2
      return 1
    }
    as_root=sudo
  fi
  echo "Installing Debian packages:$missing"
  # shellcheck disable=SC2086
  $as_root apt-get update -qq </dev/null &&
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing \
      </dev/null >/dev/null
}

# The lines "[12/345] ..." of a build on standard input become one line that moves: steps done, and the time left by the
# pace so far. Without a terminal it is a line for each tenth. Everything goes into the log, file $1.
show_progress() {
  start=$(date +%s) shown=0 done=0
  : >"$1"
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$1"
    case $line in \[[0-9]*/[0-9]*\]*) ;; *) continue ;; esac
    counts=${line%%]*} counts=${counts#[}
    done=${counts%/*} all=${counts#*/}
    elapsed=$(($(date +%s) - start))
    left=
    if [ "$done" -ge 10 ] && [ "$done" -lt "$all" ]; then left=", about $((elapsed * (all - done) / done / 60 + 1)) min left"; fi
    if [ -t 1 ]; then
      printf '\r  %d of %d files%s   ' "$done" "$all" "$left"
    elif [ $((done * 10 / all)) -gt $shown ]; then
      shown=$((done * 10 / all))
      printf '  %d of %d files%s\n' "$done" "$all" "$left"
    fi
  done
  if [ -t 1 ] && [ "$done" -gt 0 ]; then printf '\r  built in %d min                          \n' $((($(date +%s) - start) / 60)); fi
}

# Builds what has changed into build/, with warnings as errors where CI is set: everything, or the target that is named.
build() {
  preset=release
  [ -z "${CI:-}" ] || preset=ci
  echo "Building into build/ (preset $preset); the first time takes some minutes"
  (cd "$root" && cmake --preset "$preset" >build-configure.log 2>&1) || {
    cat "$root/build-configure.log" >&2
    return 1
  }
  rm -f "$root/build-configure.log"
  {
    (cd "$root" && cmake --build --preset "$preset" --target "${1:-all}" 2>&1)
    echo $? >"$root/build/build.status"
  } | show_progress "$root/build/build.log"
  [ "$(cat "$root/build/build.status")" -eq 0 ] || {
    tail -n 60 "$root/build/build.log" >&2
    return 1
  }
}
