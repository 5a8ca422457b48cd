# Offsets are characters, half-open, 0-0 for what was added.
echo 'Ünï co' | tokenize -m "$EXAMPLES/../tests/conformance/tokenizers/bert-cased" --offsets --tokens | tr '\t' '|'
