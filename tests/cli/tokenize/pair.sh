# Two texts with a tab between are read together, with types of their own.
printf 'first text\tthe second one\n' | tokenize -m "$EXAMPLES/../tests/conformance/tokenizers/bert-cased" --pair --json
