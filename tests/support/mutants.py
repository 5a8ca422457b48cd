#!/usr/bin/env python3
"""Weighs the tests: breaks a line of the library, and looks whether a test notices.

    tests/support/mutants.py [COUNT] [SEED]

Makes COUNT mutants (default 20) of random lines of lib/attn, chosen by SEED (default 1). A mutant changes an operator,
a bound or a constant, negates a condition, or deletes a statement; texts of errors stay. It runs against the unit
tests of its room, then of the rooms above, then against the command-line tests of the tools that show its room, up to
the first test that fails or does not end. Without a mutant all of them must pass. What does not compile, or compiles
to the same code, is replaced by another.

Works on a copy of the files of git in build-mutants/, whose first build takes long. Headers of many objects are left
out, since each mutant of theirs takes minutes, and so is code for processors that are not here.
"""
import hashlib
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "build-mutants"
TREE, BUILD, PATIENCE = WORK / "tree", WORK / "build", WORK / "patience"
# One link of the shared library serves all tools. Optimised a little: to make and run takes least time then.
LINKER = [f"-DCMAKE_{kind}_LINKER_FLAGS=-fuse-ld=lld" for kind in ("EXE", "SHARED")] if shutil.which("ld.lld") else []
OPTIONS = ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=None", "-DCMAKE_CXX_FLAGS=-O1", *LINKER,
           "-DCMAKE_LINK_DEPENDS_NO_SHARED=ON", f"-DCMAKE_PROJECT_INCLUDE={WORK}/unity.cmake"]
MOST_DEPENDENTS = 16
MODELS = "transformer-run/* transformer-train/* conformance/transformer/* conformance/models/*"
# What does not change is compiled several files at a time.
UNITY = "cmake_language(DEFER CALL set_target_properties unit-tests attn-cli PROPERTIES UNITY_BUILD ON)"
# Where tests allow a tool seconds, it has minutes, since the machine may be busy.
TIMEOUT = """#!/bin/sh
case $1 in [0-9]*) seconds=$1 && shift && set -- "${seconds}m" "$@" ;; esac
exec /usr/bin/timeout "$@"
"""
TOOLS = ["tools", "defective-tool", "scaling-tool"]
# Each room with the rooms above it that have unit tests, and with the command-line tests of its tools.
ROOMS = {
    "api": ("", ""),
    "attention": ("layers transformer api", "attend/* mha/* conformance/attention/* conformance/gradients/* tmerge/*"),
    "core": ("json simd matrix io text image attention regression layers transformer api",
             "tconv/* shared/* attend/* nwreg/* ffn/*"),
    "image": ("", "conformance/image/* pictures/* transformer-run/*"),
    "io": ("api", "tconv/* interoperation/* bad-input/* shared/* pictures/* strangers/*"),
    "json": ("io text transformer api", "bad-input/* tokenize/* interoperation/*"),
    "layers": ("transformer api", "mha/* ffn/* addnorm/* linear/* loss/* optimize/* embed/* posenc/* softmax/* "
               "conformance/layers/* conformance/gradients/*"),
    "matrix": ("attention layers transformer api", "linear/* conformance/layers/* " + MODELS),
    "models": ("api", "tokenize/* " + MODELS),
    "regression": ("api", "nwreg/* conformance/kernel-regression/* tmerge/*"),
    "simd": ("matrix attention regression layers transformer api",
             "attend/* nwreg/* linear/* conformance/attention/* conformance/kernel-regression/* conformance/layers/*"),
    "text": ("transformer api", "tokenize/* strangers/* conformance/tokenizers/* conformance/chats/* "
             "conformance/sentences/* transformer-run/*"),
    "transformer": ("api", MODELS + " conformance/sentences/* conformance/gradients/*"),
}

# What is no code: comments, texts, characters and lines of the preprocessor; what is only checked or said.
NO_CODE = [
    re.compile(r"""//[^\n]*|/\*.*?\*/|R"(?P<end>\w*)\(.*?\)(?P=end)"|"(?:\\.|[^"\\\n])*"|(?<!\w)'(?:\\.|[^'\\\n])+'"""
               r"""|^[ \t]*\#(?:\\\n|[^\n])*""", re.S | re.M),
    re.compile(r"\bstatic_assert\b[^;]*|(?<=\bthrow) .*?(?=;[ };]*$)", re.S | re.M)]
SWAPS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "+": "-", "-": "+", "*": "/", "/": "*",
         "%": "/", "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "&&": "||", "||": "&&", "&": "|", "|": "&",
         "&=": "|=", "|=": "&=", "<<": ">>", ">>": "<<", "true": "false", "false": "true"}
OPERATOR = re.compile(r"(?<= )(?:[<>=!+\-*/&|]=|[<>+\-*/%&|]|&&|\|\||<<|>>)(?= )|\b(?:true|false)\b")
NUMBER = re.compile(r"(?<![\w.'])(?:0x[\da-fA-F]+|\d+\.\d*(?:e[+-]?\d+)?|\d+e[+-]?\d+|\d+)(?![\d.'])")
# Statements that are not deleted: what returns a value, branches, and declarations, without which little compiles.
KEPT = re.compile(r"(?:return|case|default|else)\b|[\w:]+(?:<.*>)?[*&]* [*&]*\w|(?:const )?auto ")


def code_of(text):
    """The text with what is no code blank, character by character."""
    for pattern in NO_CODE:
        text = pattern.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)
    return text


def in_bodies(code):
    """The code with everything outside bodies of functions blank: a brace opens one if a list of parameters, and no
    name of a member, comes before it."""
    out, kinds, head = [], [], ""
    for c in code:
        out.append(c if "body" in kinds or c == "\n" else " ")
        if c == "{":
            if "body" in kinds:
                kind = "inner"
            elif re.match(r"\s*(?:namespace|extern|(?:template <.*>\s*)?(?:class|struct|union|enum))\b", head, re.S):
                kind = "scope"
            elif ")" in head and re.search(r"[)}]\s*$|\b(?:const|noexcept|override|final)\s*$|->", head):
                kind = "body"
            else:
                kind = "data"
            kinds.append(kind)
            head = head if kind == "data" else ""
        elif c == "}":
            kind = kinds.pop()
            head = head + "}" if kind == "data" else ""
            out[-1] = " " if kind == "body" else out[-1]
        elif c == ";" and "data" not in kinds:
            head = ""
        elif "data" not in kinds:
            head = re.sub(r"\b(?:public|private|protected)\s*$", "", head) if c == ":" else head + c
    return "".join(out)


def other_numbers(number):
    """One more and one less, or twice as much."""
    if number.startswith("0x"):
        return [hex(int(number, 16) + 1)]
    if number.isdigit():
        return [str(n) for n in (int(number) + 1, int(number) - 1) if n >= 0]
    return [repr(2 * float(number) or 1.0)]


def mutants_of(line, code, before):
    """All mutants of a line. Its code, and the code before it, are without what is none."""
    found = []

    def replace(begin, end, new):
        found.append(line[:begin] + new + line[end:])

    for match in OPERATOR.finditer(code):
        replace(*match.span(), SWAPS[match.group()])
    for match in NUMBER.finditer(code):
        for number in other_numbers(match.group()):
            replace(*match.span(), number)
    for match in re.finditer(r"\b(?:if|while) \(", code):
        depth, end = 1, match.end()
        while end < len(code) and depth > 0:
            depth += (code[end] == "(") - (code[end] == ")")
            end += 1
        if depth == 0 and " = " not in code[match.end():end]:
            replace(match.end(), end - 1, "!(" + line[match.end():end - 1] + ")")
    balanced = all(code.count(a) == code.count(b) for a, b in ("()", "{}", "[]"))
    if code.rstrip().endswith(";") and balanced and not KEPT.match(code.strip()):
        indent = line[:len(line) - len(line.lstrip())]
        if before[-1:] in (";", "{", "}"):
            found.append(indent)
        elif before[-1:] == ")" or before.endswith("else"):
            found.append(indent + ";")
    return found


def places(path):
    """(path, number of a line from 0, its mutants) of all lines in bodies of functions."""
    text = path.read_text()
    lines, code = text.split("\n"), in_bodies(code_of(text)).split("\n")
    before = ""
    for at, line in enumerate(lines):
        mutants = mutants_of(line, code[at], before) if code[at].strip(" {};") else []
        if mutants:
            yield path, at, mutants
        before = code[at].rstrip() or before


def all_places():
    """Those of all files that make code for this processor, and take little time to make."""
    flags = re.search(r"^flags.*$", Path("/proc/cpuinfo").read_text(), re.M).group().split()
    levels = {"avx2": "avx2", "avx512": "avx512f", "avx512bf16": "avx512_bf16", "amxbf16": "amx_bf16"}
    absent = tuple(f"_{level}.cpp.o" for level, flag in levels.items() if flag not in flags)
    dependents, use = Counter(), False
    said = subprocess.run(["ninja", "-C", BUILD, "-t", "deps"], capture_output=True, text=True, check=True).stdout
    for line in said.splitlines():
        if not line.startswith(" "):
            use = not line.split(":")[0].endswith(absent)
        elif use:
            dependents[os.path.normpath(BUILD / line.strip())] += 1
    found, left_out = [], 0
    for path in sorted((TREE / "lib/attn").rglob("*.?pp")):
        here = list(places(path))
        fits = 0 < dependents[str(path)] <= MOST_DEPENDENTS
        found += here if fits else []
        left_out += 0 if fits else len(here)
    print(f"{len(found)} lines can change; {left_out} more are in headers of many objects or for other processors",
          flush=True)
    return found


def copy_tree():
    """The files of git as they are now; those that did not change keep their times."""
    names = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], capture_output=True, text=True, check=True).stdout
    wanted = {TREE / name: ROOT / name for name in names.split("\0") if name and (ROOT / name).is_file()}
    for old in [path for path in TREE.rglob("*") if path.is_file() and path not in wanted]:
        old.unlink()
    for copy, source in wanted.items():
        if not copy.exists() or copy.read_bytes() != source.read_bytes():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, copy)


def build(*targets):
    return subprocess.run(["ninja", "-C", BUILD, "-j2", *targets], stdout=subprocess.DEVNULL).returncode == 0


def code_made():
    """Stands for all code of the library, in its own files and in those of the unit tests."""
    made = hashlib.sha256()
    for file in [next(BUILD.rglob("libattn-static.a")), BUILD / "bin/unit-tests"]:
        made.update(file.read_bytes())
    return made.digest()


def limit():
    """A process that does not end or that fills memory or the disk is stopped before others notice."""
    for what, most in (resource.RLIMIT_CPU, 120), (resource.RLIMIT_DATA, 1 << 33), (resource.RLIMIT_FSIZE, 1 << 34):
        resource.setrlimit(what, (most, most))


def failure(*command, **variables):
    """The first test that fails, or None. What waits forever fails after half an hour."""
    path = f"{PATIENCE}:{os.environ['PATH']}"
    process = subprocess.Popen(command, cwd=TREE, env=dict(os.environ, BUILD=str(BUILD), PATH=path, **variables),
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               start_new_session=True, preexec_fn=limit)
    timer = threading.Timer(1800, os.killpg, (process.pid, signal.SIGKILL))
    timer.start()
    test = "a test that does not end"
    for line in process.stdout:
        if line.startswith((b"FAILED: ", b"TEST CASE: ")):
            test = line.decode(errors="replace").split(": ", 1)[1].strip()
        if line.startswith(b"FAILED: "):
            os.killpg(process.pid, signal.SIGTERM)  # upon which the folders of the tests are removed
    timer.cancel()
    return test if process.wait() != 0 else None


def unit_failure(*rooms):
    modules = str(next(BUILD.rglob("attnutils/modules")))
    files = ",".join(f"*/unit/{room}/*" for room in rooms)
    return failure(BUILD / "bin/unit-tests", "--abort-after=1", f"-sf={files}", LD_LIBRARY_PATH=modules)


def fate(room, original):
    """What becomes of the mutant that TREE contains, and by which test."""
    if not build("attn-static", "unit-tests"):
        return "not compiled", None
    if code_made() == original:
        return "same code", None
    above, patterns = (words.split() for words in ROOMS[room])
    if test := unit_failure(room):
        return "killed by its room", test
    if above and (test := unit_failure(*above)):
        return "killed by a room above", test
    if not build(*TOOLS):
        return "killed by tools", "--completions"
    if patterns and (test := failure("tests/cli/run.sh", *patterns)):
        return "killed by tools", test
    return "survived", None


def main():
    count, seed = [int(word) for word in (sys.argv[1:] + ["20", "1"][len(sys.argv) - 1:])]
    copy_tree()
    PATIENCE.mkdir(exist_ok=True)
    (PATIENCE / "timeout").write_text(TIMEOUT)
    (PATIENCE / "timeout").chmod(0o755)
    if not (BUILD / "build.ninja").exists():
        (WORK / "unity.cmake").write_text(UNITY)
        subprocess.run(["cmake", "-S", TREE, "-B", BUILD, *OPTIONS], check=True, stdout=subprocess.DEVNULL)
    if not build(*TOOLS, "attn-static", "unit-tests"):
        sys.exit("the copy in build-mutants/ cannot be built")
    original, found = code_made(), all_places()
    random.seed(seed)
    random.shuffle(found)
    fates, survivors = Counter(), []
    for path, at, mutants in found:
        text, new = path.read_text(), random.choice(mutants)
        lines = text.split("\n")
        old, lines[at] = lines[at], new
        path.write_text("\n".join(lines))
        try:
            end, test = fate(path.relative_to(TREE / "lib/attn").parts[0], original)
        finally:
            path.write_text(text)
        report = f"{path.relative_to(TREE)}:{at + 1}\n    - {old.strip()}\n    + {new.strip()}"
        print(f"{end}: {report}" + (f"\n    by {test}" if test else ""), flush=True)
        fates[end] += 1
        if end == "survived":
            survivors.append(report)
        mutants_made = fates.total() - fates["not compiled"] - fates["same code"]
        if mutants_made == count:
            break
    print("", *survivors, sep="\n")
    print(", ".join(f"{n} {end}" for end, n in fates.most_common()))
    print(f"{mutants_made - len(survivors)} of {mutants_made} killed")


if __name__ == "__main__":
    main()
