# Tokens instead of ids, tabs between.
echo 'Hello, world!' | tokenize -m "$EXAMPLES/../tests/conformance/tokenizers/bert-cased" --tokens | tr '\t' '|'
