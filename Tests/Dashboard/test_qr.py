"""The QR code of a secret: read back here by the standard's own steps, which share no line with what draws it."""

import re

from playwright.sync_api import expect

# The fifteen format bits of level M by mask, and the eighteen version bits, as ISO/IEC 18004 lists them.
FORMATS = ["101010000010010", "101000100100101", "101111001111100", "101101101001011", "100010111111001", "100000011001110", "100111110010111", "100101010100000"]
VERSIONS = {7: "000111110010010100", 8: "001000010110111100", 9: "001001101010011001", 10: "001010010011010011"}
# Blocks of level M by version: how many, of how many codewords, of which how many are data.
BLOCKS = {
    1: [(1, 26, 16)], 2: [(1, 44, 28)], 3: [(1, 70, 44)], 4: [(2, 50, 32)], 5: [(2, 67, 43)], 6: [(4, 43, 27)], 7: [(4, 49, 31)],
    8: [(2, 60, 38), (2, 61, 39)], 9: [(3, 58, 36), (2, 59, 37)], 10: [(4, 69, 43), (1, 70, 44)],
}
ALIGNED = {1: [], 2: [18], 3: [22], 4: [26], 5: [30], 6: [34], 7: [6, 22, 38], 8: [6, 24, 42], 9: [6, 26, 46], 10: [6, 28, 50]}
MASKS = [
    lambda i, j: (i + j) % 2 == 0, lambda i, j: i % 2 == 0, lambda i, j: j % 3 == 0, lambda i, j: (i + j) % 3 == 0,
    lambda i, j: (i // 2 + j // 3) % 2 == 0, lambda i, j: i * j % 2 + i * j % 3 == 0, lambda i, j: (i * j % 2 + i * j % 3) % 2 == 0,
    lambda i, j: ((i + j) % 2 + i * j % 3) % 2 == 0,
]


def evaluate(polynomial, point):
    """Horner's rule in the field with 256 elements, multiplied bit by bit."""
    value = 0
    for factor in polynomial:
        product, one, other = 0, value, point
        while other:
            product ^= one if other & 1 else 0
            one = one << 1 ^ (0x11D if one & 0x80 else 0)
            other >>= 1
        value = product ^ factor
    return value


def decode(rows):
    size = len(rows)
    version = (size - 17) // 4
    bit = lambda row, column: "1" if rows[row][column] else "0"
    around = [(8, column) for column in (0, 1, 2, 3, 4, 5, 7, 8)] + [(row, 8) for row in (7, 5, 4, 3, 2, 1, 0)]
    beside = [(size - 1 - place, 8) for place in range(7)] + [(8, size - 8 + place) for place in range(8)]
    told = "".join(bit(*place) for place in around)
    assert told == "".join(bit(*place) for place in beside)
    mask = FORMATS.index(told)
    assert rows[size - 8][8], "the dark module"
    if version in VERSIONS:
        corner = "".join(bit(place // 3, size - 11 + place % 3) for place in range(17, -1, -1))
        other = "".join(bit(size - 11 + place % 3, place // 3) for place in range(17, -1, -1))
        assert corner == other == VERSIONS[version]

    taken = {(row, column) for row in range(size) for column in range(size) if row == 6 or column == 6}
    for top, left in ((0, 0), (0, size - 8), (size - 8, 0)):
        taken |= {(row, column) for row in range(top, top + 8) for column in range(left, left + 8)}
    taken |= set(around) | set(beside) | {(size - 8, 8)}
    centres = ALIGNED[version] if version >= 7 else [6] + ALIGNED[version] if version > 1 else []
    for row in centres:
        for column in centres:
            if (row, column) not in ((6, 6), (6, centres[-1]), (centres[-1], 6)):
                taken |= {(row + down, column + right) for down in range(-2, 3) for right in range(-2, 3)}
    if version >= 7:
        taken |= {(place // 3, size - 11 + place % 3) for place in range(18)} | {(size - 11 + place % 3, place // 3) for place in range(18)}

    bits, upward = [], True
    for right in [column for column in range(size - 1, 0, -2) if column > 6] + [5, 3, 1]:
        for row in range(size - 1, -1, -1) if upward else range(size):
            for column in (right, right - 1):
                if (row, column) not in taken:
                    bits.append(rows[row][column] != MASKS[mask](row, column))
        upward = not upward
    words = [int("".join("1" if one else "0" for one in bits[place:place + 8]), 2) for place in range(0, len(bits) - 7, 8)]

    sizes = [(total, data) for count, total, data in BLOCKS[version] for _ in range(count)]
    assert len(words) == sum(total for total, _ in sizes)
    blocks, stream = [[] for _ in sizes], iter(words)
    for place in range(max(data for _, data in sizes)):
        for block, (_, data) in zip(blocks, sizes):
            if place < data:
                block.append(next(stream))
    for _ in range(sizes[0][0] - sizes[0][1]):
        for block in blocks:
            block.append(next(stream))
    for block, (total, data) in zip(blocks, sizes):
        # A block without an error is a multiple of the generator: every root of that is one of it.
        root = 1
        for _ in range(total - data):
            assert evaluate(block, root) == 0
            root = root << 1 ^ (0x11D if root & 0x80 else 0)
    content = "".join(f"{word:08b}" for block, (_, data) in zip(blocks, sizes) for word in block[:data])
    assert content[:4] == "0100", "byte mode"
    width = 8 if version < 10 else 16
    length = int(content[4:4 + width], 2)
    start = 4 + width
    rest = content[start + 8 * length:]
    assert set(rest[:4]) <= {"0"}
    return version, mask, bytes(int(content[start + 8 * place:start + 8 * place + 8], 2) for place in range(length)).decode()


TEXTS = [
    "a", "x" * 14, "x" * 15, "otpauth://totp/Gatehouse:mara?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Gatehouse", "Zürich – ✓",
    *("y" * length for length in (26, 42, 62, 84, 106, 122, 152, 180, 181, 213)),
]


def test_every_version_and_mask_is_read_back(windows, server):
    page = windows.open(server)
    drawn = page.evaluate("""async (texts) => {
        const { qrCode } = await import("/qr.js");
        return texts.map((text) => [undefined, 0, 1, 2, 3, 4, 5, 6, 7].map((mask) => qrCode(text, mask)));
    }""", TEXTS)
    versions = set()
    for text, codes in zip(TEXTS, drawn):
        for number, rows in enumerate(codes):
            version, mask, read = decode(rows)
            assert read == text
            assert number == 0 or mask == number - 1
            versions.add(version)
    assert versions == set(range(1, 11))
    assert page.evaluate("import('/qr.js').then(({ qrCode }) => { try { qrCode('z'.repeat(214)); } catch (error) { return error.name; } })") == "RangeError"


def test_the_secret_is_drawn_as_a_code_and_is_the_one_that_is_written(windows, start_server):
    server = start_server()
    page = windows.open(server, "/settings/account")
    page.get_by_role("button", name="Set up an authenticator").click()
    code = page.get_by_role("img", name="QR code of the secret")
    expect(code).to_be_visible()
    side, path = code.evaluate("(drawing) => [drawing.viewBox.baseVal.width, drawing.querySelector('path').getAttribute('d')]")
    margin = 4
    dark = {(int(y) - margin, int(x) - margin + step) for x, y, width in re.findall(r"M(\d+) (\d+)h(\d+)", path) for step in range(int(width))}
    size = int(side) - 2 * margin
    _, _, read = decode([[(row, column) in dark for column in range(size)] for row in range(size)])
    assert read == page.get_by_role("link", name="Open in an authenticator").get_attribute("href")
    # Dark on light, whatever the page's own colours are: that is what cameras look for.
    assert code.evaluate("(drawing) => getComputedStyle(drawing).backgroundColor") == "rgb(255, 255, 255)"
