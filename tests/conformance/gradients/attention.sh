# The gradients of attention: scores, kernels, masks, biases, normalisers, cotangents of several results; see make.py.
. "$SUPPORT/gradients.sh"
check_gradients attention
