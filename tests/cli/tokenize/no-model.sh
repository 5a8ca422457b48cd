# A folder must be given.
echo 1 | tokenize
