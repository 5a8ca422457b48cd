# An option at the end without its value.
tconv 2=1,2 -o
