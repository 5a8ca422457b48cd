# A heat map on the terminal, labelled.
tplot 2x3xf64=0,5,9,9,nan,0 --row-labels str=top,below --title shades
