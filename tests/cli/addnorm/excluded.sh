# Options that exclude each other.
addnorm --no-norm --no-residual 1x2=1,2
