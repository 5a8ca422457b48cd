# A heat map on the terminal, labelled.
tplot 2x3xf64=0,5,9,9,nan,0 --row-labels str=top,below --title shades
# What is not shown, and what the marks mean.
tplot linspace=1,100,100 --heatmap | tail -1
tplot linspace=1,100,100 --heatmap --size 22x5
tplot 3x1xf64=1,inf,2 --heatmap --size 22x5
# One point.
tplot --scatter -x 2xf64=1,nan 2xf64=3,4 --size 60x12 | grep -c A
