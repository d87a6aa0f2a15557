// The solver's story on the time axis of the run.

import { COLOURS, Chart, type Curve, type Window } from "./chart";
import { type Mark, type Story, Table } from "./data";
import { digits, el } from "./dom";
import type { Player } from "./player";

type Column = (number | null)[];

/** What is nothing beside the largest would only stretch a logarithmic axis. */
function positive(column: Column): Column {
  const largest = column.reduce<number>((m, x) => Math.max(m, x ?? 0), 0);
  return column.map((x) => (x !== null && x >= 1e-12 * largest ? x : null));
}
const numbers = (column: Column): number[] => column.map((x) => x ?? Number.NaN);

export class Lanes {
  readonly element = el("div", { class: "lanes" });
  private readonly charts: [Chart, Curve[]][] = [];

  constructor(
    private readonly player: Player,
    private readonly window: Window,
    private readonly events: Mark[],
  ) {}

  get any(): boolean {
    return this.element.childElementCount > 0;
  }

  resize(): void {
    for (const [chart] of this.charts) chart.resize();
  }

  refresh(): void {
    for (const [chart, curves] of this.charts) chart.set(curves);
  }

  private lane(title: string, curves: Curve[], log = false): void {
    if (!curves.some((c) => c.values.some((v) => v !== null))) return;
    const chart = new Chart({ height: 120, log }, this.player, this.window, this.events);
    const legend = curves.map((c) =>
      el("span", { class: "key" }, el("i", { style: `background:${c.colour}` }), c.label),
    );
    this.element.append(el("section", { class: "lane" }, el("header", {}, el("b", {}, title), ...legend), chart.element));
    this.charts.push([chart, curves]);
    chart.set(curves);
  }

  /** The story of a run. */
  story(s: Story): void {
    if (s.to.length === 0) return;
    const to = numbers(s.to);
    const share = (column: Column) => column.map((x, i) => (x === null ? null : x / (s.steps[i] ?? 1)));
    const curve = (label: string, values: Column, colour: number, extra: Partial<Curve> = {}): Curve => ({
      label,
      unit: "",
      times: to,
      values,
      colour: COLOURS[colour % COLOURS.length],
      ...extra,
    });
    const merged = s.steps_per_bin > 1;
    if (merged) {
      this.element.append(
        el("p", { class: "thinned" }, `each point stands for ${s.steps_per_bin} steps: extremes and means of them`),
      );
    }
    const rejected: Curve[] = [...new Set(s.rejections.map((r) => r.reason))].map((reason, k) => {
      const list = s.rejections.filter((r) => r.reason === reason);
      return {
        label: `rejected: ${reason}`,
        unit: "s",
        times: list.map((r) => r.t),
        values: list.map((r) => r.h),
        colour: ["#c92a2a", "#a61e4d", "#862e9c", "#5f3dc4", "#364fc7", "#1864ab"][k % 6],
        dots: true,
      };
    });
    const sizes = [curve(merged ? "largest step" : "step", s.h_most, 0, { unit: "s", steps: true })];
    if (merged) sizes.push(curve("smallest step", s.h_least, 5, { unit: "s", steps: true }));
    this.lane("step size / s", [...sizes, ...rejected], true);
    const orders = [curve("order", s.order_most, 2, { steps: true })];
    if (merged) orders.push(curve("lowest", s.order_least, 5, { steps: true }));
    this.lane("order", orders);
    this.errors(s, to);
    this.lane("work per step", [
      curve("iterations", share(s.iterations), 0, { steps: true }),
      curve("Jacobians", share(s.jacobians), 1, { steps: true }),
      curve("factorisations", share(s.factorisations), 3, { steps: true, dash: [4, 3] }),
      curve("evaluations", share(s.evaluations), 7, { steps: true, dash: [2, 3] }),
    ]);
    this.lane("constraint residual", [
      curve("position (m, rad)", positive(s.position), 0),
      curve("velocity (m/s, rad/s)", positive(s.velocity), 1),
    ], true);
    const total = s.kinetic.map((k, i) => (k === null ? null : k + (s.potential[i] ?? 0)));
    this.lane("energy / J", [
      curve("kinetic", s.kinetic, 0),
      curve("potential", s.potential, 1),
      curve("total", total, 2, { dash: [5, 3] }),
    ]);
    this.lane("energy that the account misses / J", [curve("imbalance", s.imbalance, 3)]);
    this.rejections(s);
  }

  /** Error over tolerance, coloured by the part that ruled it. */
  private errors(s: Story, to: number[]): void {
    const counts = s.owners.map(() => 0);
    for (const owner of s.limiter) if (owner >= 0) counts[owner]++;
    const order = counts.map((_, i) => i).sort((a, b) => counts[b] - counts[a]).filter((i) => counts[i] > 0);
    const named = order.slice(0, 6);
    const curves: Curve[] = named.map((owner, k) => ({
      label: s.owners[owner],
      unit: "",
      times: to,
      values: s.error.map((e, i) => (s.limiter[i] === owner ? e : null)),
      colour: COLOURS[k],
      dots: true,
    }));
    if (order.length > named.length) {
      curves.push({
        label: `${order.length - named.length} others`,
        unit: "",
        times: to,
        values: s.error.map((e, i) => (named.includes(s.limiter[i]) ? null : e)),
        colour: COLOURS[7],
        dots: true,
      });
    }
    this.lane("error over tolerance, by the part that ruled it", curves);
  }

  private rejections(s: Story): void {
    if (s.rejections.length === 0) {
      this.element.append(el("p", { class: "thinned" }, "no attempt was rejected"));
      return;
    }
    const shown = s.rejections.slice(0, 200);
    const rows = shown.map((r) =>
      el(
        "tr",
        { onclick: () => this.player.set(r.t) },
        ...[
          digits(r.t),
          r.h.toExponential(2),
          String(r.order),
          r.error === null ? "" : digits(r.error, 3),
          r.reason,
          s.owners[r.limiter] ?? "",
        ].map((text) => el("td", {}, text)),
      ),
    );
    const head = ["t / s", "step / s", "order", "error", "reason", "ruled by"].map((h) => el("th", {}, h));
    this.element.append(
      el("h3", {}, `rejected attempts: ${s.rejections_seen}${s.rejections_seen > shown.length ? `, ${shown.length} listed` : ""}`),
      el("table", { class: "list" }, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows)),
    );
  }

  /** What happened on the way; a click goes there. */
  happenings(leftOut: number): void {
    if (this.events.length === 0) return;
    const shown = this.events.slice(0, 500);
    const rows = shown.map((e) =>
      el(
        "tr",
        { onclick: () => this.player.set(e.t) },
        ...[digits(e.t, 7), e.name, e.kind, e.after].map((text) => el("td", {}, text)),
      ),
    );
    const head = ["t / s", "event", "kind", "then"].map((h) => el("th", {}, h));
    const all = this.events.length + leftOut;
    this.element.append(
      el("h3", {}, `events: ${all}${all > shown.length ? `, ${shown.length} listed` : ""}`),
      el("table", { class: "list events" }, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows)),
    );
  }

  /** Macro points of a co-simulation. */
  coupling(table: Table): void {
    for (const channel of table.channels.slice(0, 12)) {
      const [times, values] = table.series(channel);
      const log = channel.name === "step" || channel.name === "error";
      const curve: Curve = {
        label: channel.unit === "" ? channel.name : `${channel.name} (${channel.unit})`,
        unit: channel.unit,
        times,
        values: log ? positive(values) : values,
        colour: COLOURS[0],
        steps: true,
      };
      this.lane(channel.name, [curve], log);
    }
  }
}
