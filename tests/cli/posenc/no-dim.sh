# A table needs its width.
posenc --length 3
