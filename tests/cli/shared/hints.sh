# What was probably meant: an option by its letter, its beginning or a slip; a literal where the numbers of one are no file.
for option in --o --l --out --axs --outptu --xyz --a; do softmax 3=1 $option || :; done
for operand in 2x=1 x2=1 1,2,3 2xf23=1,2 nothing.csv n=a; do softmax $operand || echo "$operand: exit code $?"; done
