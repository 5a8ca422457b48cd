# Heads that are an axis of their own are as many as --heads says, or it is a mistake.
posenc --kind rotary --heads 2 1x2x1x2=1,2,3,4 --positions 1xi64=0 -O csv | tail -n 1
posenc --kind rotary --heads 3 1x2x1x2=1,2,3,4
