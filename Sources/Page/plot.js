// The price over time as a small drawing. What it shows is also in the list of bids, so it is an image with one sentence.
import { h, replace, set } from "./dom.js";

const height = 150;
const inset = { left: 6, right: 10, top: 22, bottom: 20 };

/** Where the steps lie, in the drawing's own units; pure, so that it can be tested. */
export function layout(steps, start, end, width = 600) {
  if (steps.length === 0) return { points: [], path: "", area: "" };
  const prices = steps.map((step) => Number(step.amount));
  const from = Math.min(start ?? steps[0].at, steps[0].at);
  const to = Math.max(end, steps.at(-1).at, from + 1000);
  const low = Math.min(...prices);
  const high = Math.max(...prices);
  const x = (at) => inset.left + ((at - from) / (to - from)) * (width - inset.left - inset.right);
  // A round with one price lies in the middle rather than on an edge.
  const y = (price) => (high === low
    ? (height + inset.top - inset.bottom) / 2
    : height - inset.bottom - ((price - low) / (high - low)) * (height - inset.top - inset.bottom));
  const points = steps.map((step, index) => ({ x: x(step.at), y: y(prices[index]), step }));
  const round = (value) => Math.round(value * 10) / 10;
  let path = `M${round(points[0].x)} ${round(points[0].y)}`;
  for (const point of points.slice(1)) path += `H${round(point.x)}V${round(point.y)}`;
  path += `H${round(x(to))}`;
  const floor = height - inset.bottom;
  return { points, path, area: `${path}V${floor}H${round(points[0].x)}Z`, floor };
}

/** Beside the first point where there is room, else nowhere: the list has it too. */
function firstLabel([first, second], text) {
  // A character of it takes seven pixels at most.
  const room = text.length * 7 + 8;
  if (first.x - inset.left > room) return h("text.plot-text", { x: first.x - 8, y: first.y - 4, "text-anchor": "end" }, text);
  return second.x - first.x > room ? h("text.plot-text", { x: first.x, y: first.y - 9 }, text) : null;
}

export function makePlot() {
  const area = h("path.plot-area");
  const line = h("path.plot-line");
  const base = h("line.plot-base", { x1: inset.left, y1: height - inset.bottom, y2: height - inset.bottom });
  const dots = h("g");
  const labels = h("g");
  const element = h("svg.plot", { role: "img", height }, base, area, line, dots, labels);
  let drawn = "";
  let latest = null;
  // In a panel that is not chosen it has no width.
  new ResizeObserver(() => { if (latest) update(latest); }).observe(element);
  return { element, update };

  /** @param given `steps`, `start`, `end` in milliseconds, `format(amount)`, `time(ms)`, `label` for screen readers */
  function update(given) {
    const { steps, start, end, format, time, label } = latest = given;
    // One unit is one pixel, so that the writing has the same size everywhere.
    const width = Math.max(240, element.clientWidth || 600);
    const shape = layout(steps, start, end, width);
    const version = `${shape.path} ${label}`;
    if (version === drawn) return;
    drawn = version;
    set(element, "aria-label", label);
    set(element, "viewBox", `0 0 ${width} ${height}`);
    set(base, "x2", width - inset.right);
    set(area, "d", shape.area);
    set(line, "d", shape.path);
    // Dozens of dots would hide the line they belong to.
    const marked = shape.points.length > 40 ? shape.points.slice(-1) : shape.points;
    replace(dots, marked.map((point) => h("circle.plot-dot", { cx: point.x, cy: point.y, r: point === shape.points.at(-1) ? 4.5 : 3 })));
    const first = shape.points[0];
    const last = shape.points.at(-1);
    replace(labels, last && [
      steps.length > 1 && firstLabel(shape.points, format(steps[0].amount)),
      h("text.plot-text.strong", { x: last.x, y: last.y - 10, "text-anchor": last.x > width / 2 ? "end" : "start" }, format(last.step.amount)),
      h("text.plot-text", { x: inset.left, y: height - 4 }, time(Math.min(start ?? steps[0].at, steps[0].at))),
      h("text.plot-text", { x: width - inset.right, y: height - 4, "text-anchor": "end" }, time(Math.max(end, last.step.at))),
    ]);
  }
}
