# A disk that is full is a failed write.
tconv 2=1,2 >/dev/full
