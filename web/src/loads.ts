// What the parts had to carry: the largest force and torque of each joint and force element, and when.

import type { Owner } from "./batch";
import type { Channel, Part, SceneData, Table } from "./data";
import { button, digits, download, el } from "./dom";
import type { Player } from "./player";

interface Peak {
  size: number;
  t: number;
}

interface Load {
  part: Part;
  owner: Owner;
  force: Peak | null;
  torque: Peak | null;
}

/** Rows of the list; all are in the csv. */
const MOST = 400;

export class Loads {
  readonly element = el("div", { class: "loads" });
  private readonly loads: Load[];

  constructor(
    scene: SceneData,
    private readonly table: Table,
    private readonly player: Player,
    private readonly choose: (owner: Owner) => void,
  ) {
    const joints = scene.joints.map((part, index) => this.load(part, { type: "joint", index }));
    const forces = scene.forces.map((part, index) => this.load(part, { type: "force", index }));
    const all = [...joints, ...forces].filter((l) => l.force || l.torque);
    const rank = (l: Load) => l.force?.size ?? 0;
    this.loads = all.sort((a, b) => rank(b) - rank(a) || (b.torque?.size ?? 0) - (a.torque?.size ?? 0));
    if (this.any) this.show();
  }

  get any(): boolean {
    return this.loads.length > 0;
  }

  private load(part: Part, owner: Owner): Load {
    const { name } = part;
    const vector = (stem: string) =>
      ["x", "y", "z"].map((k) => this.table.find(`${stem}.${k}`)).filter((c) => c !== undefined);
    const single = (channel: string) => [this.table.find(channel)].filter((c) => c !== undefined);
    const first = (...lists: Channel[][]) => lists.find((l) => l.length > 0) ?? [];
    const unit = (list: Channel[], wanted: string) => (list.every((c) => c.unit === wanted) ? list : []);
    return {
      part,
      owner,
      force: this.peak(unit(first(vector(`${name}.reaction`), single(`${name}.force`), vector(name)), "N")),
      torque: this.peak(
        unit(first(vector(`${name}.reaction.torque`), single(`${name}.reaction.torque`), single(`${name}.torque`)), "N m"),
      ),
    };
  }

  private peak(channels: Channel[]): Peak | null {
    if (channels.length === 0) return null;
    const columns = channels.map((c) => this.table.column(c));
    const peak: Peak = { size: 0, t: this.table.start };
    for (let i = 0; i < this.table.frames; i++) {
      const size = Math.hypot(...columns.map((c) => c[i]));
      if (size > peak.size) [peak.size, peak.t] = [size, this.table.times[i]];
    }
    return peak;
  }

  private show(): void {
    const cells = (peak: Peak | null) =>
      [peak ? digits(peak.size, 4) : "", peak ? digits(peak.t, 4) : ""].map((text) => el("td", { class: "value" }, text));
    const rows = this.loads.slice(0, MOST).map((l) =>
      el(
        "tr",
        { title: "Go to the largest force and show the part", onclick: () => {
          this.player.play(false);
          this.player.set((l.force && l.force.size > 0 ? l.force : l.torque)?.t ?? this.player.time);
          this.choose(l.owner);
        } },
        el("th", {}, l.part.name),
        el("td", {}, l.part.kind.replaceAll("_", " ")),
        ...cells(l.force),
        ...cells(l.torque),
      ),
    );
    const head = ["part", "kind", "force / N", "at / s", "torque / N m", "at / s"].map((h) => el("th", {}, h));
    const more = this.loads.length - rows.length;
    this.element.append(
      el("div", { class: "row" }, el("span", { class: "gap" }), button("csv", "Save as csv", () => this.save())),
      el("table", { class: "list" }, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows)),
      el("p", { class: "thinned" }, `${more > 0 ? `and ${more} more in the csv; ` : ""}largest values at the rows that are kept`),
    );
  }

  private save(): void {
    const line = (l: Load) =>
      [l.part.name, l.part.kind, l.force?.size, l.force?.t, l.torque?.size, l.torque?.t].map((x) => x ?? "").join(",");
    const head = "part,kind,force / N,t / s,torque / N m,t / s";
    download("loads.csv", `${[head, ...this.loads.map(line)].join("\n")}\n`, "text/csv");
  }
}
