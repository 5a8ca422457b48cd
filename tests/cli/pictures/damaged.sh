# Damaged pictures: one line each. A picture that ends too early is an input error.
pictures=$EXAMPLES/../tests/conformance/image
head -c 700 "$pictures/rgb.png" >short.png
head -c 700 "$pictures/colour.jpg" >short.jpg
{ head -c 60 "$pictures/rgb.png"; printf 'xxxx'; tail -c +65 "$pictures/rgb.png"; } >crc.png
for file in short.png short.jpg crc.png; do tconv --list $file || echo $?; done
cat "$pictures/rgb.png" - <<end >more.png
text
end
tconv more.png -O h5 >out.h5 || echo $?
