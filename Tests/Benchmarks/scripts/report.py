"""The table of a run: as Markdown, which is printed too, as JSON, and its curves as SVG."""
import json

import curve
from parts.rows import SECTIONS, is_reached

HEAD = ("figure", "median", "lowest to highest", "at least", "then", "reached", "from")


def _number(row, value):
    return f"{value:,.{row.digits}f}"


def _cells(row, figure):
    bound = "≤ " if row.is_upper else "≥ "
    goals = [bound + f"{goal:,g}{row.unit}" if goal is not None else "" for goal in (row.goal, row.then)]
    if figure is None:
        return (row.title, "–", "", *goals, "", "not measured")
    reached = {None: "", True: "yes", False: "no"}[is_reached(row, figure)]
    low, high = _number(row, min(figure.values)), _number(row, max(figure.values))
    spread = f"{low} to {high}" if len(figure.values) > 1 else "one value"
    return (row.title, _number(row, figure.median) + row.unit, spread, *goals, reached, figure.note)


def _table(rows):
    """Padded, so that it can be read as it is, too."""
    widths = [max(len(cells[index]) for cells in rows) for index in range(len(HEAD))]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(cells, widths)) + " |" for cells in rows]
    lines.insert(1, "| " + " | ".join("-" * width for width in widths) + " |")
    return "\n".join(lines)


def markdown(run, figures):
    """The whole report. `run`: title, machine ({name: text}), whole (rows without a figure are shown), failed
    ({script: why}), pictures (file names)."""
    lines = [f"# {run['title']}", "", *(f"- {name}: {text}" for name, text in run["machine"].items()), ""]
    rows = [HEAD]
    for title, section in SECTIONS:
        shown = [row for row in section if row.key in figures or run["whole"]]
        if title and shown:
            rows.append((f"**{title}**", *[""] * (len(HEAD) - 1)))
        rows += [_cells(row, figures.get(row.key)) for row in shown]
    with_goal = [row for _, section in SECTIONS for row in section if row.goal is not None]
    reached = [row for row in with_goal if row.key in figures and is_reached(row, figures[row.key])]
    measured = [row for row in with_goal if row.key in figures]
    lines += [_table(rows), "", f"{len(reached)} of {len(measured)} goals are reached"
              + (f"; {len(with_goal) - len(measured)} more were not measured." if run["whole"] else ".")]
    lines += [f"Not measured: {script}: {why}." for script, why in run["failed"].items()]
    lines += ["", *(f"![{name}]({name})" for name in run["pictures"])] if run["pictures"] else []
    return "\n".join(lines) + "\n"


def document(run, figures, raw):
    """The same for programs, with the figures of every round as the scripts gave them."""
    rows = [{"key": row.key, "title": row.title, "at least": None if row.is_upper else row.goal, "at most": row.goal if row.is_upper else None,
             "then": row.then, "values": figures[row.key].values, "median": figures[row.key].median,
             "reached": is_reached(row, figures[row.key]), "from": figures[row.key].note}
            for _, section in SECTIONS for row in section if row.key in figures]
    return json.dumps({**run, "rows": rows, "measured": raw}, indent=1) + "\n"


def write(folder, name, run, figures, raw, curves):
    """Writes NAME.md, NAME.json and the pictures; returns the Markdown."""
    folder.mkdir(parents=True, exist_ok=True)
    for kind, title, label, unit, points in curves:
        picture = f"{name}-{kind}.svg"
        (folder / picture).write_text(curve.svg(title, label, unit, points))
        run["pictures"].append(picture)
    text = markdown(run, figures)
    (folder / f"{name}.md").write_text(text)
    (folder / f"{name}.json").write_text(document(run, figures, raw))
    return text
