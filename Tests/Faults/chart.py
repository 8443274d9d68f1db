"""Draws the curves of a soak: one panel for each figure that has to stay flat."""

WIDTH, HEIGHT, GAP, TOP = 380, 110, 24, 34
MIB = 1 << 20
# Name, its value in a sample, its unit.
PANELS = [
    ("memory", lambda sample: sample["memory"] / MIB, "MiB"), ("open descriptors", lambda sample: sample["descriptors"], ""),
    ("p99 of a poll", lambda sample: sample["p99"] * 1000, "ms"), ("a change, median", lambda sample: sample["change"] * 1000, "ms"),
    ("log beside the database", lambda sample: sample["log"] / MIB, "MiB"), ("database", lambda sample: sample["database"] / MIB, "MiB"),
    ("backups", lambda sample: sample["backups"] / MIB, "MiB"), ("load of the machine", lambda sample: sample["load"], ""),
]
STYLE = """text{font:12px system-ui,sans-serif;fill:#444}.name{font-weight:600}.edge{stroke:#bbb;fill:none}.fault{stroke:#e0a030;stroke-opacity:.5}
.line{stroke:#2563c9;stroke-width:1.5;fill:none}.fit{fill:#fff}@media(prefers-color-scheme:dark){text{fill:#ccc}.fit{fill:#16181d}.edge{stroke:#555}.line{stroke:#7aa7f7}}"""


def said(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def panel(x, y, name, values, unit, moments, faults, length):
    """The axis begins at 0, so that a small rise does not look like a large one."""
    most = max(max(values), 1e-9)
    across, up = (lambda at: x + at / length * WIDTH), (lambda value: y + HEIGHT - value / most * HEIGHT)
    yield f'<text class="name" x="{x}" y="{y - 8}">{name}</text><text x="{x + WIDTH}" y="{y - 8}" text-anchor="end">most {said(most)} {unit}, in the end {said(values[-1])} {unit}</text>'
    yield f'<path class="fault" d="{"".join(f"M{across(at):.1f} {y}v{HEIGHT}" for at, _ in faults)}"/>'
    yield f'<path class="edge" d="M{x} {y}v{HEIGHT}h{WIDTH}"/>'
    points = " ".join(f"{across(at):.1f},{up(value):.1f}" for at, value in zip(moments, values))
    yield f'<polyline class="line" points="{points}"/>'


def drawn(soak):
    samples, faults = soak["samples"], soak["faults"]
    moments = [sample["at"] for sample in samples]
    length = max(moments)
    rows = -(-len(PANELS) // 2)
    width, height = 2 * WIDTH + 3 * GAP, rows * (HEIGHT + TOP) + 2 * GAP
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" aria-label="Curves of a soak">',
        f"<style>{STYLE}</style>", f'<rect class="fit" width="{width}" height="{height}"/>',
    ]
    for index, (name, value, unit) in enumerate(PANELS):
        x, y = GAP + index % 2 * (WIDTH + GAP), TOP + index // 2 * (HEIGHT + TOP)
        lines += panel(x, y, name, [value(sample) for sample in samples], unit, moments, faults, length)
    lines.append(f'<text x="{GAP}" y="{height - 14}">{soak["minutes"]:g} minutes from left to right, each panel from 0; a line down is a fault: {", ".join(sorted({name for _, name in faults}))}</text>')
    return "\n".join(lines + ["</svg>", ""])
