# Exif notes how a camera was held: the corners of a JPEG in all eight orientations, and its size.
plain=$CONFORMANCE/image/colour.jpg
# Its first two bytes, a segment of Exif with one entry in its directory, and the rest.
held() { # ORIENTATION
  head -c 2 "$plain"
  printf '\377\341\000\042Exif\000\000MM\000*\000\000\000\010\000\001\001\022\000\003\000\000\000\001\000'
  printf "\\$(printf %03o "$1")\\000\\000\\000\\000\\000\\000"
  tail -c +3 "$plain"
}
same() { # ORIENTATION PLACE PLACE: where the ends of the first row are stored
  held "$1" >held.jpg
  tdiff 'held.jpg:/pixels[0,0]' "$plain:/pixels[$2]" || echo "orientation $1, left"
  tdiff 'held.jpg:/pixels[0,-1]' "$plain:/pixels[$3]" || echo "orientation $1, right"
}
same 0 0,0 0,-1
same 1 0,0 0,-1
same 2 0,-1 0,0
same 3 -1,-1 -1,0
same 4 -1,0 -1,-1
same 5 0,0 -1,0
tconv --list held.jpg
tconv --list "$plain"
same 6 -1,0 0,0
same 7 -1,-1 0,-1
same 8 0,-1 -1,-1
tconv --list held.jpg
# Exif that ends too early says nothing.
{ head -c 2 "$plain"; printf '\377\341\000\020Exif\000\000MM\000*\177\377\377\377'; tail -c +3 "$plain"; } >held.jpg
tdiff held.jpg "$plain"
# A picture on its side is held twice.
held 6 >held.jpg
tconv "$plain" --max-memory 4277 -o upright.h5
tconv held.jpg --max-memory 4277 -o turned.h5 || echo "exit $?"
tconv held.jpg --max-memory 4278 -o turned.h5
