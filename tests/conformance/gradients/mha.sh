# The gradients of multi-head attention, by PyTorch's nn.MultiheadAttention; see make.py.
. "$SUPPORT/gradients.sh"
check_gradients mha
