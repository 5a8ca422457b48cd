# The gradients of the stages; see make.py for stages.h5.
. "$SUPPORT/gradients.sh"
check_gradients stages
