// The card of the chosen part: what it is, its values now, its lines of model text.

import type { Owner } from "./batch";
import type { Channel, Part, SceneData, Table } from "./data";
import { button, digits, el } from "./dom";
import type { ModelText } from "./panels";
import type { Player } from "./player";
import type { Stage } from "./stage";

const MOST_VALUES = 40;

export class Inspector {
  readonly element = el("aside", { class: "card hidden" });
  private values: [Channel, HTMLElement][] = [];

  constructor(
    private readonly scene: SceneData,
    private readonly table: Table,
    private readonly stage: Stage,
    private readonly player: Player,
    private readonly text: ModelText,
    private readonly plot: (channel: Channel) => void,
    private readonly showText: () => void,
  ) {
    player.onGlance(() => this.refresh());
  }

  /** Shows a part, or nothing. */
  show(owner: Owner | null): void {
    this.stage.highlight(owner);
    this.values = [];
    this.element.classList.toggle("hidden", owner === null);
    if (owner === null) {
      this.text.mark(null);
      return;
    }
    const { name, kind, facts } = this.describe(owner);
    const lines = this.text.excerpt(name);
    const own = this.table.channels.filter((c) => c.name === name || c.name.startsWith(`${name}.`));
    const rows = own.slice(0, MOST_VALUES).map((c) => {
      const value = el("td", { class: "value" });
      this.values.push([c, value]);
      const label = c.name === name ? c.name : c.name.slice(name.length + 1);
      return el(
        "tr",
        { title: "Draw this channel", onclick: () => this.plot(c) },
        el("th", {}, label),
        value,
        el("td", {}, c.unit),
      );
    });
    const body = owner.type === "body" ? owner.index : -1;
    const tools = el("div", { class: "row" });
    if (body >= 0) {
      const follow = button(this.stage.follow === body ? "stop following" : "follow", "Let the camera follow this body", () => {
        this.stage.followBody(this.stage.follow === body ? -1 : body);
        this.show(owner);
      });
      const trace = button(this.stage.traced(body) ? "no trace" : "trace", "Draw the path of its centre of mass", () => {
        this.stage.trace(body);
        this.show(owner);
      });
      tools.append(follow, trace);
    }
    if (lines !== null) {
      tools.append(button(lines.place, "Show its lines of model text", () => {
        this.showText();
        this.text.mark(name);
      }));
    }
    this.element.replaceChildren(
      el("header", {}, el("b", { class: "name" }, name), el("span", {}, kind), button("✕", "Close", () => this.show(null))),
      ...facts.map((fact) => el("p", {}, fact)),
      tools,
      lines === null ? "" : el("pre", { class: "own" }, lines.text),
      el("table", { class: "facts" }, ...rows),
    );
    if (own.length > MOST_VALUES) this.element.append(el("p", {}, `and ${own.length - MOST_VALUES} more channels`));
    this.refresh();
  }

  private describe(owner: Owner): { name: string; kind: string; facts: string[] } {
    const { bodies } = this.scene;
    const named = (i: number) => bodies[i]?.name ?? "ground";
    if (owner.type === "body") {
      const body = bodies[owner.index];
      return { name: body.name, kind: `${body.kind} body`, facts: [`mass ${digits(body.mass)} kg`] };
    }
    if (owner.type === "ground") return { name: "ground", kind: "frame", facts: [] };
    const part: Part = (owner.type === "joint" ? this.scene.joints : this.scene.forces)[owner.index];
    return {
      name: part.name,
      kind: part.kind.replaceAll("_", " "),
      facts: [`between ${named(part.a)} and ${named(part.b)}`],
    };
  }

  private refresh(): void {
    for (const [channel, element] of this.values) {
      element.textContent = digits(this.table.value(channel, this.player.time));
    }
  }
}
