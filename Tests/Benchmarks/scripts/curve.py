"""A curve as an SVG picture: medians over a logarithmic x, with the range of the rounds."""
import math
import statistics
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 640, 320
LEFT, RIGHT, TOP, BOTTOM = 64, 40, 40, 48


def _round_up(value):
    """1, 2 or 5 times a power of ten."""
    power = 10 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= value)


def svg(title, label, unit, points):
    """`points`: (x, values of the rounds); at least two, with a positive x each."""
    points = sorted(points)
    first, last = math.log10(points[0][0]), math.log10(points[-1][0])
    step = _round_up(max(max(values) for _, values in points) / 5)
    highest = step * math.ceil(max(max(values) for _, values in points) / step)

    def across(x):
        return LEFT + (math.log10(x) - first) / (last - first or 1) * (WIDTH - LEFT - RIGHT)

    def up(y):
        return HEIGHT - BOTTOM - y / highest * (HEIGHT - TOP - BOTTOM)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>', f'<text x="{LEFT}" y="22" font-size="14">{escape(title)}</text>']
    for number in range(round(highest / step) + 1):
        y = up(number * step)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{number * step:g}</text>')
    for x, values in points:
        at = across(x)
        parts.append(f'<text x="{at:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{x:,}</text>')
        parts.append(f'<path d="M{at:.1f} {up(min(values)):.1f}V{up(max(values)):.1f}" stroke="#88a" stroke-width="2"/>')
        parts.append(f'<circle cx="{at:.1f}" cy="{up(statistics.median(values)):.1f}" r="3.5" fill="#226"/>')
    line = " ".join(f"{across(x):.1f},{up(statistics.median(values)):.1f}" for x, values in points)
    parts.append(f'<polyline points="{line}" fill="none" stroke="#226"/>')
    parts.append(f'<text x="{LEFT}" y="{HEIGHT - 10}">{escape(label)}</text>')
    parts.append(f'<text x="{LEFT - 8}" y="{TOP - 6}" text-anchor="end">{escape(unit)}</text>')
    return "\n".join([*parts, "</svg>", ""])
