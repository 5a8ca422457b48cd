# Takes the examples out of a man page (mdoc) or of README.md. In literal blocks of mdoc, a line "$ COMMAND" gives
# "C COMMAND"; lines "> ..." and lines after a trailing backslash go on with it, as "c ..."; what stands under it gives
# "O ..."; the end of a block gives "E". Blocks marked `sh` of README can be pasted as they are: lines "# ..." are the
# output of the command above, any other is a command, or goes on with one that ends with a pipe or a backslash.
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
markdown && /^```/ { inside = /sh$/; continued = 0; print "E"; next }
!markdown && /^\.Bd .*-literal/ { inside = 1; kind = ""; next }
!markdown && /^\.Ed/ { inside = 0; print "E"; next }
!inside { next }
markdown && /^# / { print "O " substr($0, 3); next }
markdown { print (continued ? "c " : "C ") $0; continued = /[|\\]$/; next }
{
  line = plain($0)
  goes_on = kind != "" && kind != "O" && continued
  if (line ~ /^\$ /) { kind = "C"; line = substr(line, 3) }
  else if (line ~ /^> /) { kind = "c"; line = substr(line, 3) }
  else if (goes_on) kind = "c"
  else if (kind != "") kind = "O"
  else next
  continued = kind != "O" && line ~ /\\$/
  print kind " " line
}
