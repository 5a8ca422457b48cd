# A heat map of one row, one column or one cell fills its area, in each format; 1 to 6 are six steps of viridis.
command -v gnuplot >/dev/null || { echo "gnuplot is not installed" >&2; exit 77; }
colours() { tconv "$1" -O csv --no-header | sort -u | tr '\n' ' '; echo; }
tplot --heatmap 1x6xf64=1,2,3,4,5,6 -o row.png
colours 'row.png:/pixels[270,60:580]'
tplot --heatmap 6x1xf64=1,2,3,4,5,6 -o column.png
colours 'column.png:/pixels[20:490,300]'
tplot --heatmap 1x1xf64=3 -o cell.png
colours 'cell.png:/pixels[20:490,300]'
tplot 2x1x2xf64=0,1,1,0 -o panels.png --size 1000x500
colours 'panels.png:/pixels[250,60:380]'
colours 'panels.png:/pixels[250,560:880]'
attend -q 1x1xf64=1 -k 6x1xf64=0,1,2,3,4,5 -v 6x1xf64=1 --emit weights -o w.h5
tplot w.h5:/weights -o w.png
colours 'w.png:/pixels[270,60:580]' | wc -w
# In SVG a rectangle for each cell, which no viewer blurs; in PDF an image.
tplot --heatmap 1x6xf64=1,2,3,4,5,6 -o row.svg
grep -c '<image' row.svg || true
for colour in ' 68,   1,  84' ' 64,  67, 133' ' 42, 120, 142' ' 39, 168, 130' '126, 209,  78' '253, 231,  37'; do
  [ "$(grep -o "polygon fill = 'rgb($colour)'" row.svg | wc -l)" -ge 2 ] || echo "no cell in $colour"
done
tplot --heatmap 1x6xf64=1,2,3,4,5,6 -o row.pdf
grep -a -c '/Width 6$' row.pdf
# Of more columns than the picture has pixels, a pixel has the mean.
tplot linspace=0,1,100000 --heatmap -o many.png
colours 'many.png:/pixels[270,570]' | wc -w
# On the terminal one value has a mark of its own.
tplot --heatmap 1x3xf64=2,2,2
# What is no number is grey, with a note.
tplot 1x3xf64=1,nan,inf -o gaps.png
colours 'gaps.png:/pixels[270,300:500]'
