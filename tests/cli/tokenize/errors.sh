# What is wrong is named with its line.
. "$SUPPORT/try.sh"
ln -s "$EXAMPLES/dates" .

# A folder must be given, and have a tokenizer.
echo 1 | try tokenize
mkdir empty
echo 1 | try tokenize -m empty

# Ids that are no numbers, or not in the vocabulary.
echo 10 x2 | try tokenize -m dates --decode
printf '10\n51\n' | try tokenize -m dates --decode

# A pair without a tab, and one that cannot be cut as is asked for.
echo 1 2 | try tokenize -m dates --pair
printf '12345\t678\n' >pair
for which in longest-first only-first only-second; do
  try tokenize -m dates --pair --max-length 4 --truncation $which pair
done

# A bad line ends the run, with what came before it done; or it is answered by an empty line, and the others are done.
printf '1\n1\377\n2\n' >stop
try tokenize -m dates stop
printf '1\n\377\n2\n' | try tokenize -m dates --on-error skip

# Options that need or exclude others.
echo 12 4 | try tokenize -m dates --truncation only-second --max-length 3
echo 12 4 | try tokenize -m dates --pair --json-lines
echo 12 4 | try tokenize -m dates --tokens -O csv
for option in '--max-length 3' '--overlap 1' --pair --offsets; do echo 12 4 | try tokenize -m dates --decode $option; done
echo 12 4 | try tokenize -m dates --pad-to 9
# An existing file is an input, never the output.
try tokenize -m dates stop pair
