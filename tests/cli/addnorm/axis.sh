# An axis that there is not.
addnorm --no-residual 1x2=1,2 --axis 2
