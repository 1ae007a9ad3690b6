// @ts-check
/* The shape of an arrow from one mention to another: an arc over a line of text, or a curve from line to line. */

/** @import { Curve, Rectangle } from "./types.d.ts" */

const HIGHEST = 20; // of an arc over a line, in pixels: lines of text are about 33 apart
const FARTHEST = 70; // how far a curve goes straight up or down at its ends
const HEAD = 7;
const CHARACTER = 6.4; // the width of one in a label, about
const LABEL = 12; // its height
const MOST_SHIFTS = 4;

/** @param {number} value */
const rounded = (value) => Math.round(10 * value) / 10;

/** The middle of a curve with two control points. @param {number[]} at coordinates of its four points */
const halfway = ([a, b, c, d]) => rounded((a + 3 * b + 3 * c + d) / 8);

/**
 * A curve between two rectangles. It leaves and arrives at a share of their width, so that two need not cover each
 * other.
 * @param {Rectangle} from
 * @param {Rectangle} to
 * @param {number} share
 * @returns {Curve}
 */
export function curveBetween(from, to, share = 0.5) {
  const x = [from.left + share * from.width, to.left + share * to.width];
  const below = to.top >= from.top + from.height / 2;
  const above = to.top + to.height / 2 <= from.top;
  const start = below ? from.top + from.height : from.top;
  const end = above ? to.top + to.height : to.top;
  const reach = above || below ? Math.min(FARTHEST, 12 + Math.abs(end - start) / 2) : arcHeight(x[1] - x[0]);
  const y = [start, start + (below ? reach : -reach), end + (above ? reach : -reach), end].map(rounded);
  const [left, right] = x.map(rounded);
  return {
    from: [left, y[0]],
    path: `M${left} ${y[0]}C${left} ${y[1]} ${right} ${y[2]} ${right} ${y[3]}`,
    end: [right, y[3]],
    middle: [halfway([left, left, right, right]), halfway(y)],
    rises: above,
  };
}

/** @param {number} distance */
const arcHeight = (distance) => Math.min(HIGHEST, 8 + Math.abs(distance) / 8);

/**
 * Where a label is: in the middle of the curve if that is wide enough to be seen on both sides of it, else to its
 * right, but not beyond the right edge; and not on a label that is there already, but below.
 * @param {Curve} curve
 * @param {number} characters
 * @param {number} edge
 * @param {Rectangle[]} taken by other labels
 * @returns {Rectangle}
 */
export function labelBox({ from, end, middle: [x, y] }, characters, edge, taken = []) {
  const width = characters * CHARACTER;
  const beside = Math.min(Math.max(end[0], from[0]) + HEAD, edge - width);
  const left = Math.abs(end[0] - from[0]) > width + 4 * HEAD ? x - width / 2 : beside;
  const box = { left: rounded(left), top: rounded(y - LABEL / 2), width: rounded(width), height: LABEL };
  const over = (/** @type {Rectangle} */ other) =>
    box.left < other.left + other.width && other.left < box.left + width && Math.abs(other.top - box.top) < LABEL;
  for (let turn = 0; turn < MOST_SHIFTS && taken.some(over); turn += 1) box.top += LABEL;
  return box;
}

/** The head of an arrow: a triangle that points at the end of the curve, up or down. @param {Curve} curve */
export function headOf({ end: [x, y], rises }) {
  const back = rounded(rises ? y + HEAD : y - HEAD);
  return `M${x} ${y}L${rounded(x - HEAD / 2)} ${back}H${rounded(x + HEAD / 2)}z`;
}
