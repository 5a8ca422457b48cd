# Weights must be given.
linear 2=1,2
