// Where the names of cards stand on a photo so that none covers another; what finds no room waits for the zoom.
// @ts-nocheck: not typed yet
const FONT = 14; // screen pixels
const SIZES = [1, 0.78]; // of the font
const GAP = 2; // screen pixels between an end and its name
const WIDE = /[^\x00-\xff]/; // a Chinese character is as wide as high, a Latin one about half

/** The middle of some points. @type {(points: number[][]) => number[]} */
export const middle = (points) => [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length);

/** Half of a name's width and height in screen pixels. */
function halves(name, size) {
  const ems = [...name].reduce((sum, letter) => sum + (WIDE.test(letter) ? 1 : 0.58), 0);
  return [(ems * FONT * size) / 2, (FONT * size) / 2];
}

const around = ([x, y], [w, h]) => [x - w, y - h, x + w, y + h];

const overlap = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

const corners = ([left, top, right, bottom]) => [[left, top], [right, top], [right, bottom], [left, bottom]];

/** Whether a box reaches into a quad: there is no line between the two along any of their sides. */
function reachesInto(box, quad) {
  const normal = (from, to) => [to[1] - from[1], from[0] - to[0]];
  const along = ([nx, ny], points) => points.map(([x, y]) => x * nx + y * ny);
  const meet = (one, other) => Math.min(...one) < Math.max(...other) && Math.min(...other) < Math.max(...one);
  const axes = [[1, 0], [0, 1], normal(quad[0], quad[1]), normal(quad[1], quad[2])];
  return axes.every((axis) => meet(along(axis, quad), along(axis, corners(box))));
}

/** Middles of a name of these halves about an end, the best first: beyond its outer edge, at its sides. */
function spots(quad, [w, h]) {
  const [edge, inner, centre] = [middle([quad[0], quad[1]]), middle([quad[2], quad[3]]), middle(quad)];
  const long = Math.hypot(edge[0] - inner[0], edge[1] - inner[1]) || 1;
  const out = [(edge[0] - inner[0]) / long, (edge[1] - inner[1]) / long];
  const wide = Math.hypot(quad[0][0] - quad[1][0], quad[0][1] - quad[1][1]) / 2;
  const from = ([x, y], [dx, dy], away) => [x + dx * away, y + dy * away];
  const reach = ([dx, dy]) => Math.abs(dx) * w + Math.abs(dy) * h + GAP;
  const [left, right] = [[-out[1], out[0]], [out[1], -out[0]]];
  return [from(edge, out, reach(out)), from(centre, right, wide + reach(right)), from(centre, left, wide + reach(left))];
}

/**
 * Place names about card ends, in their order: [{at: [x, y], size, fits}] in the units of `wanted`, screen pixels.
 * `wanted` is [{name, quad, outline}]; `frame` is [width, height], which no name leaves. A name stands beside the cards,
 * else small upon its own end; one that would cover another name does not fit.
 */
export function placeNames(wanted, frame) {
  const taken = [];
  return wanted.map(({ name, quad }, own) => {
    const inside = ([x, y], [w, h]) => [Math.min(Math.max(x, w), frame[0] - w), Math.min(Math.max(y, h), frame[1] - h)];
    const tries = SIZES.flatMap((size) => {
      const half = halves(name, size);
      return spots(quad, half).map((spot) => ({ at: inside(spot, half), size, half }));
    });
    const free = ({ at, half }) => taken.every((other) => !overlap(around(at, half), other));
    const clear = ({ at, half }) => wanted.every(({ outline }, n) => n === own || !reachesInto(around(at, half), outline));
    const least = SIZES.at(-1);
    const upon = { at: middle(quad), size: least, half: halves(name, least) };
    const found = tries.find((one) => free(one) && clear(one)) ?? (free(upon) ? upon : null);
    if (found) taken.push(around(found.at, found.half));
    return { ...(found ?? tries[0]), fits: Boolean(found) };
  });
}
