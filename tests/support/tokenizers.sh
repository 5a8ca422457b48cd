# Sourced by tests of the files of a tokenizer. FILES are of tests/conformance/tokenizers; SETTINGS are put beside them
# under NAME, tokenizer_config.json or config.json, or nothing is if they are empty.
. "$SUPPORT/try.sh"
mkdir m
folder() { # FILES NAME SETTINGS: the folder m
  rm -f m/*
  for file in $1; do cp "$CONFORMANCE/tokenizers/$file" m; done
  [ -z "$3" ] || echo "$3" >"m/$2"
}
ids() { # FILES NAME SETTINGS TEXT [OPTION...]: the ids of a text
  folder "$1" "$2" "$3"
  text=$4
  shift 4
  printf '%s\n' "$text" | tokenize -m m "$@"
}
back() { # FILES NAME SETTINGS TEXT: a text from its ids
  folder "$1" "$2" "$3"
  printf '%s\n' "$4" | tokenize -m m | tokenize -m m --decode
}
