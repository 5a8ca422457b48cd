"""Random tables of words and numbers through tconv beside Python's csv module: what comes back from HDF5, what is
chosen by number, what is joined by name. Of fixed seeds; prints what differs.

    random_tables.py COUNT
"""
import csv
import io
import random
import subprocess
import sys

NAMES = ["a", "b", "id", "x y", "größe", 'say "hi"', "a,b", "a:b", "[0]", "x/y", "x", "日本", "1", "1e3", "", "/2", "nan",
         "it's", "*", ".", "\ufeffq", "a|b", "#n"]
WORDS = ["Bob", "x,y", 'say "hi"', "größe", "a;b", "#no", "", "NA", ".", " lead", "3,14", "two\nlines", "a\tb", "007a", "-"]
NUMBERS = {
    "whole": lambda: str(random.randint(-999, 999)),
    "large": lambda: str(random.choice([2**53 + 1, 2**63 - 1, -(2**63), random.randint(-(2**63), 2**63 - 1)])),
    "float": lambda: random.choice([repr(random.uniform(-1, 1)), "%.17g" % random.uniform(-1e300, 1e300), "5e-324",
                                    "-0", "inf", "nan"]),
}


def tconv(*arguments):
    done = subprocess.run(["tconv", *arguments, "--header"], capture_output=True)
    return done.stdout.decode() or done.stderr.decode()


def cells_of(text):
    """Rows of cells, without the comment that says what cells cannot."""
    return list(csv.reader(io.StringIO(text.split("\n", 1)[1] if text.startswith("# dtype=") else text, newline="")))


def write(name, rows):
    """Words stand in quotes, numbers do not, nor names."""
    kinds = [word for word, _ in rows[0]]
    with open(name, "w", newline="", encoding="utf-8") as file:
        for line, row in enumerate(rows):
            file.write(",".join('"' + text.replace('"', '""') + '"' if is_word or line == 0 else text
                                for is_word, (_, text) in zip(kinds, row)) + "\n")


def same(a, b):
    """One text; of floats one value."""
    try:
        return a == b or (("." in a or "e" in a) and float(a) == float(b))
    except ValueError:
        return False


def column(rows, index):
    return [row[index] for row in rows]


def differ(mine, theirs):
    return len(mine) != len(theirs) or not all(same(a, b) for a, b in zip(mine, theirs))


def check(seed):
    random.seed(seed)
    width, count = random.randint(1, 4), random.randint(0, 4)
    kinds = [random.choice(["word", *NUMBERS]) for _ in range(width)]
    names = random.sample(NAMES, width)
    make = [NUMBERS.get(kind, lambda: random.choice(WORDS)) for kind in kinds]
    head = [(kind == "word", name) for kind, name in zip(kinds, names)]
    rows = [head] + [[(True, one()) for one in make] for _ in range(count)]
    write("t.csv", rows)
    texts = [[text for _, text in row] for row in rows]
    order = random.sample(range(width), width)
    write("other.csv", [[row[i] for i in order] for row in rows])
    found = [("t.h5", cells_of(tconv("t.csv", "-f", "-o", "t.h5") or tconv("t.h5", "-O", "csv")), 1),
             ("joined", cells_of(tconv("t.csv", "other.csv", "--concat", "0", "-O", "csv")), 2)]
    for what, cells, times in found:
        for i, name in enumerate(names):
            here = cells[0].index(name) if cells and name in cells[0] else None
            wanted = column(texts[1:], i) * times
            if here is None or differ(column(cells[1:], here), wanted):
                print(f"{seed}: {what}: column '{name}' of {texts} came back in {cells}")
    for i, name in enumerate(names):
        if all(str(i) != other.strip("/") for other in names):
            cells = cells_of(tconv(f"t.csv:/{i}", "-O", "csv"))
            if differ(column(cells, 0), column(texts, i)):
                print(f"{seed}: column {i} of {texts} was read as {cells}")


for seed in range(int(sys.argv[1])):
    check(seed)
