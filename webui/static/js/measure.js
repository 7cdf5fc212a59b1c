// What can be said about a camera picture without any network: light, sharpness, glare, movement.
export const WIDTH = 160;

const DARK = 52; // mean of 0..255
const GLARE_SHARE = 0.035; // of the pixels burnt out, in a picture that is not bright all over
const BLUR = 26; // variance of the Laplacian of a 160 pixel wide picture
const MOVED = 9; // mean change between two pictures
const SMALL = 26; // pixels of card width below which faces can't be told at 1280
const EDGE = 0.004; // of the long side

/** Luminance 0..255 of RGBA pixels. */
export function luminance(rgba) {
  const grey = new Float32Array(rgba.length / 4);
  for (let i = 0; i < grey.length; i++) grey[i] = 0.299 * rgba[4 * i] + 0.587 * rgba[4 * i + 1] + 0.114 * rgba[4 * i + 2];
  return grey;
}

function sharpness(grey, width) {
  let [sum, squares, count] = [0, 0, 0];
  const height = grey.length / width;
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const i = y * width + x;
      const edge = 4 * grey[i] - grey[i - 1] - grey[i + 1] - grey[i - width] - grey[i + width];
      sum += edge;
      squares += edge * edge;
      count++;
    }
  }
  return squares / count - (sum / count) ** 2;
}

/** {dark, glare, blurred, moving} of a grey picture `width` pixels wide; `before` is the last one or null. */
export function judge(grey, width, before) {
  const mean = grey.reduce((sum, value) => sum + value, 0) / grey.length;
  const burnt = grey.filter((value) => value > 250).length / grey.length;
  let change = 0;
  if (before) for (let i = 0; i < grey.length; i++) change += Math.abs(grey[i] - before[i]) / grey.length;
  return {
    dark: mean < DARK,
    glare: burnt > GLARE_SHARE && mean < 190,
    blurred: sharpness(grey, width) < BLUR,
    moving: !before || change > MOVED,
  };
}

/** {far, cut} of a reading: cards too small to tell, or reaching over the edge. */
export function judgeCards(reading) {
  const ends = reading.cards.flatMap((card) => card.ends.map((end) => end.quad));
  if (!ends.length) return { far: false, cut: false };
  const widths = ends.map(([a, b]) => Math.hypot(a[0] - b[0], a[1] - b[1])).sort((a, b) => a - b);
  const scale = 1280 / Math.max(reading.width, reading.height);
  const margin = EDGE * Math.max(reading.width, reading.height);
  const outside = ([x, y]) => x < margin || y < margin || x > reading.width - margin || y > reading.height - margin;
  return { far: widths[widths.length >> 1] * scale < SMALL, cut: ends.some((quad) => quad.some(outside)) };
}
