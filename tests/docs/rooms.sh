#!/bin/sh
# The house keeps its shape: includes between rooms go down only, and only to headers that lie directly in a room (lib/README.md).
# These doors, and they alone, are exported by the shared library. A header inside a room that serves one other file has a
# reason to be apart.
set -u
cd "$(dirname "$0")/../.." || exit 1

arrows() {
  find lib/attn tools -name '*.[ch]pp' -exec grep -H -e '^ *# *include [<"]\(attn\|cli\)/' -e '^namespace .*attn' {} + | awk -F '[:<">]' '
  BEGIN {
    below["core"] = ""
    below["json"] = "core"
    below["simd"] = "core"
    below["matrix"] = "simd core"
    below["attention"] = "matrix simd core"
    below["regression"] = "matrix simd core"
    below["layers"] = "attention matrix simd core"
    below["io"] = below["image"] = below["text"] = "json core"
    below["transformer"] = "layers attention matrix simd text json core"
    below["models"] = "transformer attention io text json core"
    below["api"] = "models transformer layers regression attention io text json core"
    below["attn.hpp"] = "api core"
    # In tools/cli the folders options, plots and results are rooms too.
    split("attn/ cli/ cli/options/ cli/plots/ cli/results/", list, " ")
    for (i in list) rooms[list[i]] = 1
    # Floors of tools/cli, from below: what an option and a text is, the report, what is read, what is written, a run.
    floors[1] = "exit_codes help literals numbers operand_names operands record result selection signals standard_text " \
      "unknown_option results/difference results/json results/moved_times results/statistics"
    floors[2] = "progress_bar report command shared_options gradient_check"
    floors[3] = "row_blocks inputs"
    floors[4] = "result_writer results/check results/companions results/head_attributes"
    floors[5] = "session"
    for (f in floors) { n = split(floors[f], list, " "); for (i = 1; i <= n; i++) floor["cli/" list[i]] = f }
  }
  function floor_of(file) {
    sub(/\.[ch]pp$/, "", file)
    return file in floor ? floor[file] : 6
  }
  {
    from = $1; to = $3
    sub(/^(lib|tools)\//, "", from)
    split(from, a, "/"); split(to, b, "/")
    if ($2 ~ /^namespace/) {
      door = from ~ /^attn\/[a-z]*\/[^\/]*hpp$/ && a[2] !~ /^(simd|matrix)$/
      if (from ~ /cpp$/ || door == ($2 ~ /ATTN_API/)) ++passed
      else { ++failed; print "FAILED: " $1 (door ? " is a door; its namespace needs ATTN_API" : " is no door; its namespace is not for ATTN_API") }
      next
    }
    inside = a[1] == b[1] && (a[1] == "cli" || a[2] == b[2])
    folder = to; sub(/[^\/]*$/, "", folder)
    door = folder in rooms || folder ~ /^attn\/[a-z]*\/$/
    said = ""
    if (!inside && !door) said = "lies inside a room; a door of it is needed"
    else if (!inside && a[1] == "attn" && b[1] != "attn") said = "the library knows no tool"
    else if (!inside && a[1] == "attn" && index(" " below[a[2]] " ", " " b[2] " ") == 0) said = "is not below " a[2]
    else if (!inside && a[1] != "attn" && b[2] ~ /^(simd|matrix)$/) said = "is for the library alone"
    else if (inside && from ~ /^attn\/[a-z]*\/[^\/]*hpp$/ && !door && a[2] !~ /^(simd|matrix)$/)
      said = "is no door, and who includes this one needs it"
    if (said == "" && inside && a[1] == "cli" && floor_of(to) > floor_of(from)) said = "lies a floor above"
    if (said == "") ++passed
    else { ++failed; print "FAILED: " $1 " includes " to ", which " said }
  }
  END { print passed + 0 " passed, " failed + 0 " failed"; exit failed > 0 }'
}

headers() {
  find lib tools tests -name '*.[ch]pp' -exec grep -H '^ *# *include [<"]' {} + | awk -F '[:<">]' '
  BEGIN {
    # With its user it would be longer than a module may be, or one of two ideas that are looked for apart.
    split("attn/attention/fused/backward attn/io/hdf5/copy attn/io/hdf5/dataset " \
      "attn/io/hdf5/plain_image attn/io/hdf5/virtual attn/regression/samples/kd_tree attn/regression/windows/local_loss " \
      "attn/text/chat/functions " \
      "attn/text/chat/interpreter attn/text/chat/lexer attn/text/chat/texts attn/text/chat/values " \
      "attn/text/files/class_settings attn/text/models/sentence_piece cli/options/multi_head cli/results/check mha/gradients nwreg/part nwreg/plot nwreg/results tconv/contents " \
      "tconv/rearrange tdiff/report tplot/options transformer-train/checkpoint", list, " ")
    for (i in list) apart[list[i] ".hpp"]
    # A step of a kernel.
    split("attention_bf16_rows attention_bf16x3_rows attention_bf16x3_streamed attention_packing attention_pooling " \
      "attention_scores attention_weights gemm_panels", list, " ")
    for (i in list) apart["attn/simd/kernels/" list[i] ".hpp"]
  }
  {
    from = $1; to = $3
    sub(/^(lib|tools)\//, "", from)
    own = from; sub(/cpp$/, "hpp", own)
    if (to !~ /^attn\/[^\/]*\/.*\// && to !~ /^cli\/.*\// && to !~ /^(attend|mha|nwreg|tconv|tdiff|tmerge|tplot|transformer-[a-z]*)\//) next
    if (to !~ /hpp$/ || own == to || (from, to) in seen) next
    seen[from, to]; ++users[to]; user[to] = from
  }
  END {
    for (header in users) {
      alone = users[header] == 1
      if (alone == (header in apart)) ++passed
      else { ++failed; print "FAILED: " header (alone ? " serves " user[header] " alone; join them, or list it" : " has several users; its place in the list goes") }
    }
    print passed + 0 " passed, " failed + 0 " failed"; exit failed > 0
  }'
}

arrows
code=$?
headers && exit $code
