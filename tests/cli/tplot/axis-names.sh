# The names of axes stand above a heat map in characters, as in one of pixels.
tplot 2x3xf64=1,2,3,4,5,6 --heatmap --title Weights --xlabel key --ylabel query
tplot 2x3xf64=1,2,3,4,5,6 --heatmap --xlabel key
