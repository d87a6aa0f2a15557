// Charts on a common time axis: a cursor at the shown time, zoom by dragging and by the wheel, pan with
// shift, events marked, export as SVG and csv.

import uPlot from "uplot";
import type { Mark } from "./data";
import { digits, el } from "./dom";
import type { Player } from "./player";

export const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7b61c4", "#6b6b6b"];

/** Most events whose names are written beside their marks. */
const NAMED = 12;

export interface Curve {
  label: string;
  unit: string;
  times: number[];
  values: (number | null)[];
  colour: string;
  /** Points without a line. */
  dots?: boolean;
  /** Steps instead of a line. */
  steps?: boolean;
  dash?: number[];
}

export interface Look {
  height: number;
  log?: boolean;
  title?: string;
}

/** The part of the time axis that all charts of a group show. */
export class Window {
  private readonly charts: Chart[] = [];
  private busy = false;

  constructor(
    public from: number,
    public to: number,
  ) {}

  add(chart: Chart): void {
    this.charts.push(chart);
  }

  remove(chart: Chart): void {
    const at = this.charts.indexOf(chart);
    if (at >= 0) this.charts.splice(at, 1);
  }

  set(from: number, to: number, by?: Chart): void {
    if (this.busy || !(to > from)) return;
    this.busy = true;
    [this.from, this.to] = [from, to];
    for (const chart of this.charts) if (chart !== by) chart.zoom(from, to);
    this.busy = false;
  }
}

export class Chart {
  readonly element: HTMLElement;
  curves: Curve[] = [];
  private plot: uPlot | null = null;
  private readonly line = el("div", { class: "now" });
  private readonly whole: [number, number];

  constructor(
    private readonly look: Look,
    private readonly player: Player,
    private readonly window: Window,
    private readonly events: Mark[],
  ) {
    this.element = el("div", { class: "chart" });
    this.whole = [player.start, player.end > player.start ? player.end : player.start + 1];
    window.add(this);
    player.onTime(() => this.showTime());
    new ResizeObserver(() => this.resize()).observe(this.element);
  }

  close(): void {
    this.window.remove(this);
    this.plot?.destroy();
    this.plot = null;
    this.element.remove();
  }

  /** Shows these curves. */
  set(curves: Curve[]): void {
    this.curves = curves;
    this.plot?.destroy();
    this.plot = null;
    if (curves.length === 0 || this.element.clientWidth === 0) return;
    const units = [...new Set(curves.map((c) => c.unit))];
    const ink = getComputedStyle(this.element).color;
    const faint = { stroke: "rgba(128,128,128,0.18)", width: 1 };
    const axis = { stroke: ink, grid: faint, ticks: faint, font: "11px system-ui, sans-serif" };
    const powers = (_: uPlot, ticks: number[]) => ticks.map((x) => (Number.isInteger(x) ? `1e${x}` : ""));
    const plain = (_: uPlot, ticks: number[]) => ticks.map((x) => (x === null ? "" : digits(x, 4)));
    const options: uPlot.Options = {
      width: this.element.clientWidth,
      height: this.look.height,
      title: this.look.title,
      legend: { show: false },
      cursor: { drag: { x: true, y: false }, points: { show: false }, sync: { key: "time" } },
      scales: {
        x: { time: false, min: this.window.from, max: this.window.to },
        ...Object.fromEntries(units.map((u) => [scale(u), { range: this.look.log ? decades : range }])),
      },
      axes: [
        { ...axis, values: plain, size: 26 },
        ...units.slice(0, 2).map((u, i) => ({
          ...axis,
          scale: scale(u),
          side: i === 0 ? 3 : 1,
          size: 58,
          label: u === "" ? undefined : u,
          labelSize: u === "" ? 0 : 16,
          labelFont: "11px system-ui, sans-serif",
          values: this.look.log ? powers : plain,
          incrs: this.look.log ? [1, 2, 3, 5, 10, 20, 50, 100] : undefined,
          grid: i === 0 ? faint : { show: false },
        })),
      ],
      series: [
        {},
        ...curves.map((c) => ({
          label: c.label,
          scale: scale(c.unit),
          stroke: c.colour,
          width: c.dots ? 0 : 1.4,
          dash: c.dash,
          spanGaps: !c.dots,
          paths: c.dots ? () => null : c.steps ? uPlot.paths.stepped?.({ align: -1 }) : undefined,
          points: { show: Boolean(c.dots) || c.times.length === 1, size: c.dots ? 5 : 6, fill: c.colour },
        })),
      ],
      hooks: {
        ready: [(u) => this.ready(u)],
        setScale: [(u, key) => {
          const { min, max } = u.scales.x;
          if (key === "x" && min !== undefined && max !== undefined && min !== null && max !== null) {
            this.window.set(min, max, this);
            this.showTime();
          }
        }],
        draw: [(u) => this.drawEvents(u)],
      },
    };
    this.plot = new uPlot(options, aligned(curves, this.look.log ? logarithm : (x) => x), this.element);
    this.showTime();
  }

  /** Shows a part of the time axis. */
  zoom(from: number, to: number): void {
    const x = this.plot?.scales.x;
    if (this.plot && x && (x.min !== from || x.max !== to)) this.plot.setScale("x", { min: from, max: to });
  }

  resize(): void {
    const width = this.element.clientWidth;
    if (width === 0) return;
    if (!this.plot) this.set(this.curves);
    else if (this.plot.width !== width) {
      this.plot.setSize({ width, height: this.look.height });
      this.showTime();
    }
  }

  private ready(u: uPlot): void {
    u.over.append(this.line);
    u.over.addEventListener("dblclick", () => this.window.set(...this.whole));
    u.over.addEventListener("click", (e) => {
      if (u.select.width === 0) this.player.set(u.posToVal(e.offsetX, "x"));
    });
    u.over.addEventListener("wheel", (e) => {
      e.preventDefault();
      const at = u.posToVal(e.offsetX, "x");
      const factor = e.deltaY > 0 ? 1.25 : 0.8;
      const from = at + (this.window.from - at) * factor;
      const to = at + (this.window.to - at) * factor;
      this.window.set(Math.max(from, this.whole[0]), Math.min(to, this.whole[1]));
    }, { passive: false });
    u.over.addEventListener("mousedown", (e) => {
      if (!e.shiftKey) return;
      e.stopImmediatePropagation();
      const [x0, from, to] = [e.clientX, this.window.from, this.window.to];
      const width = u.over.clientWidth;
      const move = (m: MouseEvent) => {
        const shift = ((x0 - m.clientX) / width) * (to - from);
        this.window.set(from + shift, to + shift);
      };
      const stop = () => document.removeEventListener("mousemove", move);
      document.addEventListener("mousemove", move);
      document.addEventListener("mouseup", stop, { once: true });
    }, { capture: true });
  }

  private showTime(): void {
    if (!this.plot) return;
    const x = this.plot.valToPos(this.player.time, "x");
    const inside = x >= 0 && x <= this.plot.over.clientWidth;
    this.line.style.display = inside ? "block" : "none";
    this.line.style.transform = `translateX(${x}px)`;
  }

  private drawEvents(u: uPlot): void {
    const { ctx, bbox } = u;
    const { min, max } = u.scales.x;
    if (min === undefined || max === undefined || min === null || max === null) return;
    const shown = marksWithin(this.events, min, max);
    if (shown.length === 0) return;
    ctx.save();
    ctx.strokeStyle = "rgba(200,120,0,0.5)";
    ctx.setLineDash([3, 3]);
    ctx.beginPath();
    for (const { t } of shown) {
      const x = u.valToPos(t, "x", true);
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
    }
    ctx.stroke();
    if (shown.length <= NAMED) {
      const ratio = window.devicePixelRatio || 1;
      ctx.fillStyle = "rgb(180,105,0)";
      ctx.font = `${9 * ratio}px system-ui, sans-serif`;
      let free = -Infinity;
      for (const { t, name } of shown) {
        const x = u.valToPos(t, "x", true) + 3 * ratio;
        // words that would lie upon each other are left out; the list of events has them
        if (x < free || name === "") continue;
        ctx.fillText(name, x, bbox.top + 9 * ratio);
        free = x + ctx.measureText(name).width + 4 * ratio;
      }
    }
    ctx.restore();
  }
}

/** Events between two times; none where there are so many that a fence of lines would hide what it marks. */
export function marksWithin(events: Mark[], from: number, to: number): Mark[] {
  const shown = events.filter((e) => e.t >= from && e.t <= to);
  return shown.length > 80 ? [] : shown;
}

/** Logarithms are drawn on a linear axis with whole decades: any size of number has a place there. */
function logarithm(x: number | null): number | null {
  return x !== null && x > 0 ? Math.log10(x) : null;
}

function decades(_: uPlot, low: number | null, high: number | null): [number, number] {
  if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return [-1, 1];
  return [Math.floor(low), Math.max(Math.ceil(high), Math.floor(low) + 1)];
}

/** The curves on common times. */
function aligned(curves: Curve[], drawn: (x: number | null) => number | null): uPlot.AlignedData {
  const columns = curves.map((c) => c.values.map(drawn));
  const same = curves.every((c) => c.times === curves[0].times);
  if (same) return [curves[0].times, ...columns] as uPlot.AlignedData;
  return uPlot.join(curves.map((c, i) => [c.times, columns[i]] as uPlot.AlignedData));
}

/** The values with some air. What differs by rounding alone is one value: no ticks fit between. */
function range(_: uPlot, low: number | null, high: number | null): [number, number] {
  if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (size < 1e-290) return [-1, 1];
  if (high - low <= 1e-7 * size) return [low - 0.1 * size, high + 0.1 * size];
  const air = 0.06 * (high - low);
  return [low - air, high + air];
}

function scale(unit: string): string {
  return `y:${unit}`;
}

/** Curves as csv: one column of time, one for each curve. */
export function csv(curves: Curve[]): string {
  const quoted = (s: string) => (/[",\n]/.test(s) ? `"${s.replaceAll('"', '""')}"` : s);
  const head = ["t", ...curves.map((c) => quoted(c.label))].join(",");
  const data = aligned(curves, (x) => x) as (number | null | undefined)[][];
  const rows = data[0].map((_, i) => data.map((column) => column[i] ?? "").join(","));
  return `${[head, ...rows].join("\n")}\n`;
}
