# Sourced by tests of how much memory or how many addresses a tool takes: AddressSanitizer takes its own share.
if grep -q __asan_init "$BUILD/bin/tconv"; then
  echo "a sanitizer takes memory of its own" >&2
  exit 77
fi
