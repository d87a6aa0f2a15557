// Curves as an SVG file, by elements: the serialiser escapes what names bring along.

import type { Curve } from "./chart";
import type { Mark } from "./data";
import { digits } from "./dom";

const NS = "http://www.w3.org/2000/svg";

function node(parent: Element, tag: string, attributes: Record<string, string | number>, text?: string): Element {
  const element = document.createElementNS(NS, tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  if (text !== undefined) element.textContent = text;
  parent.append(element);
  return element;
}

/** Round numbers that divide a range. */
function ticks(low: number, high: number): number[] {
  const power = 10 ** Math.floor(Math.log10((high - low) / 6));
  const step = [1, 2, 5, 10].map((s) => s * power).find((s) => (high - low) / s <= 7) ?? 10 * power;
  const list: number[] = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) list.push(k * step);
  return list;
}

/** The curves between two times, with marks of what happened. */
export function svg(curves: Curve[], events: Mark[], from: number, to: number, title: string): string {
  const [width, height, left, right, top] = [760, 420, 76, 76, 34];
  const bottom = 48 + 18 * curves.length;
  const root = document.createElementNS(NS, "svg");
  for (const [k, v] of Object.entries({ viewBox: `0 0 ${width} ${height + bottom - 48}`, width, height: height + bottom - 48 })) {
    root.setAttribute(k, String(v));
  }
  root.setAttribute("font-family", "system-ui, sans-serif");
  root.setAttribute("font-size", "12");
  node(root, "rect", { width: "100%", height: "100%", fill: "#fff" });
  node(root, "text", { x: width / 2, y: 20, "text-anchor": "middle", "font-size": 14 }, title);
  const floor = height - 48;
  const px = (t: number) => left + ((t - from) / (to - from)) * (width - left - right);
  for (const t of ticks(from, to)) {
    node(root, "line", { x1: px(t), x2: px(t), y1: top, y2: floor, stroke: "#ddd" });
    node(root, "text", { x: px(t), y: floor + 16, "text-anchor": "middle" }, digits(t, 4));
  }
  node(root, "text", { x: (left + width - right) / 2, y: floor + 34, "text-anchor": "middle" }, "t / s");
  for (const { t, name } of events) {
    const mark = node(root, "line", { class: "event", x1: px(t), x2: px(t), y1: top, y2: floor, stroke: "#c87800", "stroke-opacity": 0.6, "stroke-dasharray": "3 3" });
    node(mark, "title", {}, name);
  }
  const units = [...new Set(curves.map((c) => c.unit))];
  const ranges = new Map<string, [number, number]>();
  for (const unit of units) {
    let [low, high] = [Infinity, -Infinity];
    for (const c of curves.filter((c) => c.unit === unit)) {
      c.values.forEach((v, i) => {
        if (v === null || c.times[i] < from || c.times[i] > to) return;
        [low, high] = [Math.min(low, v), Math.max(high, v)];
      });
    }
    if (!(high > low)) [low, high] = Number.isFinite(low) ? [low - 1, low + 1] : [0, 1];
    ranges.set(unit, [low, high]);
  }
  const py = (v: number, unit: string) => {
    const [low, high] = ranges.get(unit) ?? [0, 1];
    return floor - ((v - low) / (high - low)) * (floor - top);
  };
  units.slice(0, 2).forEach((unit, k) => {
    const [low, high] = ranges.get(unit) ?? [0, 1];
    const x = k === 0 ? left - 6 : width - right + 6;
    for (const v of ticks(low, high)) {
      if (k === 0) node(root, "line", { x1: left, x2: width - right, y1: py(v, unit), y2: py(v, unit), stroke: "#ddd" });
      node(root, "text", { x, y: py(v, unit) + 4, "text-anchor": k === 0 ? "end" : "start" }, digits(v, 4));
    }
    if (unit !== "") node(root, "text", { x, y: top - 8, "text-anchor": k === 0 ? "end" : "start" }, unit);
  });
  node(root, "rect", { x: left, y: top, width: width - left - right, height: floor - top, fill: "none", stroke: "#333" });
  curves.forEach((c, k) => {
    let path = "";
    let pen = "M";
    c.values.forEach((v, i) => {
      if (v === null) pen = "M";
      if (v === null || c.times[i] < from || c.times[i] > to) return;
      path += `${pen}${px(c.times[i]).toFixed(2)} ${py(v, c.unit).toFixed(2)}`;
      pen = "L";
    });
    node(root, "path", { d: path || "M0 0", fill: "none", stroke: c.colour, "stroke-width": 1.5 });
    const y = height + 18 * k - 4;
    node(root, "line", { x1: left, x2: left + 26, y1: y - 4, y2: y - 4, stroke: c.colour, "stroke-width": 2 });
    node(root, "text", { x: left + 34, y }, c.unit === "" ? c.label : `${c.label} (${c.unit})`);
  });
  return new XMLSerializer().serializeToString(root);
}
