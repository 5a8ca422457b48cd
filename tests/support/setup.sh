# Sourced by examples/quickstart.sh and tests/run.sh: the Debian packages that the project needs, and the build.
# The caller sets `root` to the checkout.

packages="g++ gfortran cmake ninja-build pkg-config
  libcli11-dev libxtensor-dev libxtensor-blas-dev libxsimd-dev libopenblas-dev libhdf5-dev zlib1g-dev doctest-dev
  nlohmann-json3-dev libutf8proc-dev libpcre2-dev libsentencepiece-dev libpng-dev libjpeg-dev
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

# Builds what has changed into build/, with warnings as errors where CI is set.
build_tools() {
  preset=release
  [ -z "${CI:-}" ] || preset=ci
  echo "Building into build/ (preset $preset)"
  (cd "$root" && cmake --preset "$preset" >build-configure.log 2>&1) || {
    cat "$root/build-configure.log" >&2
    return 1
  }
  rm -f "$root/build-configure.log"
  (cd "$root" && cmake --build --preset "$preset") >"$root/build/build.log" 2>&1 || {
    tail -n 60 "$root/build/build.log" >&2
    return 1
  }
}
