// Where a picture stands that is larger than its frame: `scale` (1: the whole picture), and by how much its middle is away from the
// frame's, in pixels. Points are counted from the middle of the frame.

export const whole = { scale: 1, x: 0, y: 0 };
export const largest = 6;

const between = (low, value, high) => Math.min(high, Math.max(low, value));

/** The view moved back so far that the picture leaves no part of the frame empty. @param frame its `width` and `height` */
export function inFrame({ scale, x, y }, { width, height }) {
  const [most, high] = [((scale - 1) * width) / 2, ((scale - 1) * height) / 2];
  return { scale, x: between(-most, x, most), y: between(-high, y, high) };
}

export const moved = (view, dx, dy, frame) => inFrame({ ...view, x: view.x + dx, y: view.y + dy }, frame);

/** Larger by a factor, or smaller, so that what is at a point stays there. */
export function zoomed(view, factor, point, frame) {
  const scale = between(1, view.scale * factor, largest);
  const by = scale / view.scale;
  return inFrame({ scale, x: point.x - (point.x - view.x) * by, y: point.y - (point.y - view.y) * by }, frame);
}

/** After two fingers went from the points in `before` to those in `after`. */
export function pinched(view, before, after, frame) {
  const middle = ([a, b]) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
  const span = ([a, b]) => Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));
  const [from, to] = [middle(before), middle(after)];
  return zoomed({ ...view, x: view.x + to.x - from.x, y: view.y + to.y - from.y }, span(after) / span(before), to, frame);
}
