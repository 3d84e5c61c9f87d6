"""Makes tables and the words in them."""


def markdown(head, rows, form=""):
    """A table; `form` has an r for each column of numbers, and an l for the others."""
    marks = "".join("--:|" if kind == "r" else "---|" for kind in form.ljust(len(head), "l"))
    lines = ["|" + "".join(" |" if cell == "" else f" {cell} |" for cell in cells) for cells in [head, *rows]]
    return "\n".join([lines[0], f"|{marks}", *lines[1:]])


def size(count, decimals=1):
    """A number of bytes, in the unit that fits; `decimals` are those of kilobytes."""
    if count < 10000:
        return f"{count} B"
    return f"{count / 1024:.{decimals}f} KB" if count < 1 << 20 else f"{count / (1 << 20):.1f} MB"
