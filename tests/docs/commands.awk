# Takes the examples out of a man page (mdoc) or of README.md. In literal blocks (mdoc) and blocks marked `console`
# (README), a line "$ COMMAND" gives "C COMMAND"; lines "> ..." and lines after a trailing backslash go on with it, as
# "c ..."; what stands under it gives "O ..."; the end of a block gives "E".
function plain(line) {
  gsub(/\\&/, "", line)
  gsub(/\\-/, "-", line)
  gsub(/\\\(aq/, "'", line)
  gsub(/\\\(dq/, "\"", line)
  gsub(/\\\(ti/, "~", line)
  gsub(/\\\(ha/, "^", line)
  gsub(/\\\(ga/, "`", line)
  gsub(/\\e/, "\\", line)
  return line
}
FNR == 1 { markdown = FILENAME ~ /\.md$/ }
markdown && /^```/ { inside = /console/; kind = ""; print "E"; next }
!markdown && /^\.Bd .*-literal/ { inside = 1; kind = ""; next }
!markdown && /^\.Ed/ { inside = 0; print "E"; next }
!inside { next }
{
  line = markdown ? $0 : plain($0)
  goes_on = kind != "" && kind != "O" && continued
  if (line ~ /^\$ /) { kind = "C"; line = substr(line, 3) }
  else if (line ~ /^> /) { kind = "c"; line = substr(line, 3) }
  else if (goes_on) kind = "c"
  else if (kind != "") kind = "O"
  else next
  continued = kind != "O" && line ~ /\\$/
  print kind " " line
}
