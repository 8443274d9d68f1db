// @ts-check
/**
 * A QR code (ISO/IEC 18004) of a short text: byte mode, error level M, versions 1 to 10. Drawn here, so that no secret
 * is handed to anyone else.
 */

/**
 * For level M, by version: error correction codewords per block, and the data codewords of each block.
 * @type {[number, number[]][]}
 */
const BLOCKS = [
  [10, [16]], [16, [28]], [26, [44]], [18, [32, 32]], [24, [43, 43]], [16, [27, 27, 27, 27]], [18, [31, 31, 31, 31]],
  [22, [38, 38, 39, 39]], [22, [36, 36, 36, 37, 37]], [26, [43, 43, 43, 43, 44]],
];
/** The centres of the small squares (alignment patterns), by version. */
const CENTRES = [
  [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50],
];
const LEVEL_M = 0b00;

// Arithmetic in the field of 256 elements, modulo x^8 + x^4 + x^3 + x^2 + 1.
const powers = new Uint8Array(512);
const logs = new Uint8Array(256);
for (let exponent = 0, value = 1; exponent < 255; exponent += 1) {
  powers[exponent] = value;
  powers[exponent + 255] = value;
  logs[value] = exponent;
  value = (value << 1) ^ (value & 0x80 ? 0x11d : 0);
}
/** @param {number} one @param {number} other */
const times = (one, other) => (one && other ? powers[logs[one] + logs[other]] : 0);

/**
 * The error correction codewords of a block (Reed-Solomon).
 * @param {number[]} data
 * @param {number} count
 */
function correction(data, count) {
  let generator = [1];
  for (let root = 0; root < count; root += 1) {
    const next = [...generator, 0];
    generator.forEach((factor, place) => { next[place + 1] ^= times(factor, powers[root]); });
    generator = next;
  }
  const rest = [...data, ...new Array(count).fill(0)];
  for (let place = 0; place < data.length; place += 1) {
    const factor = rest[place];
    if (factor) generator.forEach((other, offset) => { rest[place + offset] ^= times(other, factor); });
  }
  return rest.slice(data.length);
}

/**
 * All codewords, in the order in which they are drawn.
 * @param {Uint8Array} bytes
 * @param {number} version
 */
function codewords(bytes, version) {
  const [count, sizes] = BLOCKS[version - 1];
  const room = sizes.reduce((sum, size) => sum + size, 0);
  const lengthBits = version < 10 ? 8 : 16;
  /** @type {number[]} */
  const bits = [];
  /** @param {number} value @param {number} width */
  const put = (value, width) => { for (let bit = width - 1; bit >= 0; bit -= 1) bits.push((value >> bit) & 1); };
  put(0b0100, 4);
  put(bytes.length, lengthBits);
  for (const byte of bytes) put(byte, 8);
  put(0, Math.min(4, room * 8 - bits.length));
  while (bits.length % 8 > 0) bits.push(0);
  for (let filler = 0xec; bits.length < room * 8; filler ^= 0xec ^ 0x11) put(filler, 8);
  const data = Array.from({ length: room }, (_, place) =>
    bits.slice(place * 8, place * 8 + 8).reduce((byte, bit) => byte * 2 + bit, 0));

  let start = 0;
  const blocks = sizes.map((size) => data.slice(start, start += size));
  const corrections = blocks.map((block) => correction(block, count));
  const result = [];
  for (let place = 0; place < Math.max(...sizes); place += 1) {
    for (const block of blocks) if (place < block.length) result.push(block[place]);
  }
  for (let place = 0; place < count; place += 1) for (const block of corrections) result.push(block[place]);
  return result;
}

/**
 * A value followed by its check bits.
 * @param {number} value
 * @param {number} width
 * @param {number} polynomial with its leading bit
 * @param {number} degree
 */
function withRemainder(value, width, polynomial, degree) {
  let rest = value << degree;
  for (let bit = width + degree - 1; bit >= degree; bit -= 1) if ((rest >> bit) & 1) rest ^= polynomial << (bit - degree);
  return (value << degree) | rest;
}

/** @type {((row: number, column: number) => boolean)[]} */
const MASKS = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];

/**
 * @param {string} text at most 213 bytes
 * @param {number} [wanted] a fixed mask, for comparisons; otherwise the best one
 * @returns {boolean[][]} rows of modules, dark ones true
 */
export function qrCode(text, wanted) {
  const bytes = new TextEncoder().encode(text);
  const version = BLOCKS.findIndex(([, sizes], index) =>
    sizes.reduce((sum, size) => sum + size, 0) * 8 >= 4 + (index < 9 ? 8 : 16) + bytes.length * 8) + 1;
  if (version === 0) throw new RangeError("too long for a QR code of version 10");
  const size = 17 + 4 * version;
  /** @type {(boolean | null)[][]} null where nothing is set yet */
  const frame = Array.from({ length: size }, () => new Array(size).fill(null));
  drawPatterns(frame, version);
  const words = codewords(bytes, version);
  /** @type {boolean[][] | null} */
  let best = null;
  let least = Infinity;
  for (const [mask, isFlipped] of MASKS.entries()) {
    if (wanted !== undefined && mask !== wanted) continue;
    const drawn = frame.map((row) => [...row]);
    drawFormat(drawn, mask);
    drawData(drawn, words, isFlipped);
    const modules = drawn.map((row) => row.map(Boolean));
    const cost = penalty(modules);
    if (cost < least) [best, least] = [modules, cost];
  }
  return /** @type {boolean[][]} */ (best);
}

/** @param {(boolean | null)[][]} frame @param {number} version */
function drawPatterns(frame, version) {
  const size = frame.length;
  for (let place = 8; place < size - 8; place += 1) {
    frame[6][place] = place % 2 === 0;
    frame[place][6] = place % 2 === 0;
  }
  for (const [top, left] of [[0, 0], [0, size - 7], [size - 7, 0]]) {
    for (let row = -1; row <= 7; row += 1) {
      for (let column = -1; column <= 7; column += 1) {
        if (frame[top + row]?.[left + column] === undefined) continue;
        const ring = Math.max(Math.abs(row - 3), Math.abs(column - 3));
        frame[top + row][left + column] = ring !== 2 && ring !== 4;
      }
    }
  }
  const centres = CENTRES[version - 1];
  const last = centres[centres.length - 1];
  for (const row of centres) {
    for (const column of centres) {
      // Three corners have the large squares (finder patterns) instead.
      if ((row === 6 && column === 6) || (row === 6 && column === last) || (row === last && column === 6)) continue;
      for (let down = -2; down <= 2; down += 1) {
        for (let right = -2; right <= 2; right += 1) {
          frame[row + down][column + right] = Math.max(Math.abs(down), Math.abs(right)) !== 1;
        }
      }
    }
  }
  if (version < 7) return;
  const told = withRemainder(version, 6, 0b1111100100101, 12);
  for (let bit = 0; bit < 18; bit += 1) {
    const isDark = ((told >> bit) & 1) === 1;
    const [long, short] = [Math.floor(bit / 3), size - 11 + (bit % 3)];
    frame[long][short] = isDark;
    frame[short][long] = isDark;
  }
}

/** @param {(boolean | null)[][]} frame @param {number} mask */
function drawFormat(frame, mask) {
  const size = frame.length;
  const told = withRemainder((LEVEL_M << 3) | mask, 5, 0b10100110111, 10) ^ 0b101010000010010;
  for (let bit = 0; bit < 15; bit += 1) {
    const isDark = ((told >> bit) & 1) === 1;
    // Around the first large square, skipping the timing pattern, and once more beside the other two.
    const place = bit < 6 ? bit : bit < 8 ? bit + 1 : 14 - bit;
    if (bit < 8) frame[place][8] = isDark;
    else frame[8][bit === 8 ? 7 : place] = isDark;
    if (bit < 8) frame[8][size - 1 - bit] = isDark;
    else frame[size - 15 + bit][8] = isDark;
  }
  frame[size - 8][8] = true;
}

/** @param {(boolean | null)[][]} frame @param {number[]} words @param {(row: number, column: number) => boolean} isFlipped */
function drawData(frame, words, isFlipped) {
  const size = frame.length;
  let bit = 0;
  let isUpward = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right -= 1;
    for (let step = 0; step < size; step += 1) {
      const row = isUpward ? size - 1 - step : step;
      for (const column of [right, right - 1]) {
        if (frame[row][column] !== null) continue;
        const isDark = ((words[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1;
        frame[row][column] = (isDark === 1) !== isFlipped(row, column);
        bit += 1;
      }
    }
    isUpward = !isUpward;
  }
}

/**
 * How hard the code would be to read: runs, blocks, patterns like a large square, and too much of one colour.
 * @param {boolean[][]} modules
 */
function penalty(modules) {
  const size = modules.length;
  let cost = 0;
  let dark = 0;
  for (let line = 0; line < size; line += 1) {
    for (const at of [(/** @type {number} */ place) => modules[line][place], (/** @type {number} */ place) => modules[place][line]]) {
      let run = 0;
      let text = "";
      for (let place = 0; place < size; place += 1) {
        run = place > 0 && at(place) === at(place - 1) ? run + 1 : 1;
        if (run === 5) cost += 3;
        else if (run > 5) cost += 1;
        text += at(place) ? "1" : "0";
      }
      for (let place = 0; place + 11 <= size; place += 1) {
        if (["10111010000", "00001011101"].includes(text.slice(place, place + 11))) cost += 40;
      }
    }
  }
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      const isDark = modules[row][column];
      if (isDark) dark += 1;
      if (row > 0 && column > 0 && [modules[row - 1][column], modules[row][column - 1], modules[row - 1][column - 1]]
        .every((other) => other === isDark)) cost += 3;
    }
  }
  return cost + 10 * Math.floor(Math.abs((dark * 100) / (size * size) - 50) / 5);
}
