# A comment that means to say the shape or the dtype and says neither is a mistake; others are comments.
odd() {
  code=0
  printf '%s\n1\n2\n' "$1" | tconv --list || code=$?
  [ $code -eq 65 ] || echo "$1: exit code $code"
}
odd '# shape=2,x'
odd '# shape=2 dtype=f99'
odd '#dtype=i64 rows'
odd '# shape=2 shape=2'
printf '# a shape=2 of things\n# dtype=i64\n1\n2\n' | tconv --list
