// Plots of channels: found by search, several per plot.

import { COLOURS, Chart, type Curve, type Window, csv, marksWithin } from "./chart";
import type { Channel, Mark, Table } from "./data";
import { button, digits, download, el, fileName } from "./dom";
import type { Player } from "./player";
import { svg } from "./svg";

const MOST_FOUND = 120;

class Plot {
  readonly element: HTMLElement;
  readonly channels: Channel[] = [];
  private readonly chart: Chart;
  private readonly chips = el("div", { class: "chips" });
  private readonly values = new Map<Channel, HTMLElement>();

  constructor(
    private readonly owner: Plots,
    private readonly table: Table,
    private readonly player: Player,
  ) {
    this.chart = new Chart({ height: 190 }, player, owner.window, owner.events);
    this.element = el(
      "section",
      { class: "plot", onpointerdown: () => owner.choose(this) },
      el(
        "header",
        {},
        this.chips,
        el(
          "span",
          { class: "tools" },
          button("svg", "Save as SVG", () => this.save("svg")),
          button("csv", "Save as csv", () => this.save("csv")),
          button("✕", "Remove this plot", () => owner.remove(this)),
        ),
      ),
      this.chart.element,
    );
    player.onGlance(() => this.showValues());
  }

  add(channel: Channel): void {
    if (!this.channels.includes(channel)) this.channels.push(channel);
    this.show();
  }

  drop(channel: Channel): void {
    this.channels.splice(this.channels.indexOf(channel), 1);
    if (this.channels.length === 0) this.owner.remove(this);
    else this.show();
  }

  close(): void {
    this.chart.close();
    this.element.remove();
  }

  show(): void {
    this.chips.replaceChildren();
    this.values.clear();
    this.channels.forEach((c, i) => {
      const value = el("b");
      this.values.set(c, value);
      const chip = el(
        "span",
        { class: "chip", title: c.name },
        el("i", { style: `background:${COLOURS[i % COLOURS.length]}` }),
        c.name,
        value,
        button("✕", "Remove this channel", () => this.drop(c)),
      );
      this.chips.append(chip);
    });
    this.chart.set(this.curves());
    this.showValues();
  }

  resize(): void {
    this.chart.resize();
  }

  curves(): Curve[] {
    return this.channels.map((c, i) => {
      const [times, values] = this.table.series(c);
      return { label: c.name, unit: c.unit, times, values, colour: COLOURS[i % COLOURS.length] };
    });
  }

  private showValues(): void {
    for (const [channel, element] of this.values) {
      element.textContent = `${digits(this.table.value(channel, this.player.time))} ${channel.unit}`;
    }
  }

  private save(format: "svg" | "csv"): void {
    const name = fileName(this.channels.map((c) => c.name).join("_")).slice(0, 60);
    const { from, to } = this.owner.window;
    if (format === "csv") download(`${name}.csv`, csv(this.curves()), "text/csv");
    else download(`${name}.svg`, svg(this.curves(), marksWithin(this.owner.events, from, to), from, to, this.owner.title), "image/svg+xml");
  }
}

export class Plots {
  readonly element: HTMLElement;
  readonly plots: Plot[] = [];
  private current: Plot | null = null;
  private readonly list = el("div", { class: "found" });
  private readonly input: HTMLInputElement;
  private readonly stack = el("div", { class: "stack" });

  constructor(
    private readonly table: Table,
    private readonly player: Player,
    readonly window: Window,
    readonly events: Mark[],
    readonly title: string,
  ) {
    this.input = el("input", {
      type: "search",
      placeholder: `search ${table.channels.length} channels: crank velocity`,
      class: "search",
      oninput: () => this.find(),
      onfocus: () => this.find(),
    });
    this.input.addEventListener("keydown", (e) => {
      if (e.key === "Enter") this.list.querySelector("button")?.click();
      if (e.key === "Enter" || e.key === "Escape") this.hide();
      e.stopPropagation();
    });
    const tools = el(
      "div",
      { class: "row" },
      this.input,
      button("+ plot", "Begin a new plot", () => {
        this.current = null;
        this.input.focus();
      }),
    );
    const thinned = table.thinned.map((words) => el("p", { class: "thinned" }, words));
    this.element = el("div", { class: "plots" }, tools, this.list, ...thinned, this.stack);
    document.addEventListener("pointerdown", (e) => {
      if (e.target instanceof Node && !this.list.contains(e.target) && e.target !== this.input) this.hide();
    });
    this.first();
  }

  /** Draws a channel in the current plot, or in a new one where there is none. */
  draw(channel: Channel): void {
    if (!this.current) {
      const plot = new Plot(this, this.table, this.player);
      this.plots.push(plot);
      this.stack.prepend(plot.element);
      this.choose(plot);
    }
    this.current?.add(channel);
  }

  choose(plot: Plot): void {
    this.current = plot;
    for (const p of this.plots) p.element.classList.toggle("current", p === plot);
  }

  remove(plot: Plot): void {
    this.plots.splice(this.plots.indexOf(plot), 1);
    if (this.current === plot) this.current = null;
    plot.close();
  }

  /** Draws all again, in the colours of the page. */
  refresh(): void {
    for (const plot of this.plots) plot.show();
  }

  resize(): void {
    for (const plot of this.plots) plot.resize();
  }

  private hide(): void {
    this.list.replaceChildren();
  }

  private find(): void {
    const { found, more } = this.table.search(this.input.value, MOST_FOUND);
    const rows = found.map((c) =>
      el("button", { type: "button", onclick: () => this.draw(c) }, c.name, el("small", {}, c.unit)),
    );
    const rest = more > 0 ? el("p", {}, `and ${more} more`) : null;
    const none = found.length === 0 ? el("p", {}, "no channel has this name") : null;
    this.list.replaceChildren(...[...rows, rest, none].filter((x) => x !== null));
  }

  /** A few telling channels: the coordinates that change most, and the largest forces, no two alike. */
  private first(): void {
    const span = (c: Channel) => {
      let [low, high] = [Infinity, -Infinity];
      for (const x of this.table.column(c)) [low, high] = [Math.min(low, x), Math.max(high, x)];
      return high > low ? { range: high - low, low, channel: c } : { range: 0, low: 0, channel: c };
    };
    type Span = ReturnType<typeof span>;
    const alike = (a: Span, b: Span) => {
      const [x, y] = [this.table.column(a.channel), this.table.column(b.channel)];
      let [same, mirrored] = [0, 0];
      for (let i = 0; i < x.length; i++) {
        const [u, v] = [(x[i] - a.low) / a.range, (y[i] - b.low) / b.range];
        [same, mirrored] = [Math.max(same, Math.abs(u - v)), Math.max(mirrored, Math.abs(u + v - 1))];
      }
      return Math.min(same, mirrored) < 0.03;
    };
    const most = (fits: (c: Channel) => boolean) => {
      const ranked = this.table.channels.slice(0, 3000).filter(fits).map(span);
      const chosen: Span[] = [];
      for (const next of ranked.filter((s) => s.range > 0).sort((a, b) => b.range - a.range).slice(0, 60)) {
        if (chosen.length < 3 && !chosen.some((c) => alike(c, next))) chosen.push(next);
      }
      return chosen.map((s) => s.channel);
    };
    // angles of an orientation jump at half a turn; those of joints and planar bodies do not
    const coordinates = most((c) => c.unit === "rad" && !/\.(yaw|pitch|roll)$/.test(c.name));
    const lengths = most((c) => c.unit === "m");
    for (const group of [most((c) => c.unit === "N"), coordinates.length ? coordinates : lengths]) {
      this.current = null;
      for (const channel of group) this.draw(channel);
    }
  }
}
