// Panels of words: the outcome, the model text, the chosen part.

import type { PageData } from "./data";
import { digits, el } from "./dom";

function words(key: string): string {
  return key.replaceAll("_", " ");
}

function leaf(value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "number") return digits(value, 6);
  return String(value);
}

const isObject = (x: unknown): x is Record<string, unknown> => typeof x === "object" && x !== null && !Array.isArray(x);

/** A JSON value as nested tables. */
function tree(value: unknown, title: string): HTMLElement | null {
  if (Array.isArray(value)) {
    if (value.length === 0) return null;
    if (value.every(isObject)) {
      const keys = [...new Set(value.flatMap((v) => Object.keys(v)))];
      const head = keys.map((k) => el("th", {}, words(k)));
      const rows = value.slice(0, 200).map((v) => {
        const cells = keys.map((k) => el("td", {}, isObject(v[k]) || Array.isArray(v[k]) ? JSON.stringify(v[k]) : leaf(v[k])));
        return el("tr", {}, ...cells);
      });
      const table = el("table", { class: "list" }, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows));
      return el("details", { open: value.length <= 12 }, el("summary", {}, words(title)), table);
    }
    const items = value.slice(0, 200).map((v) => el("li", {}, leaf(v)));
    return el("details", { open: value.length <= 12 }, el("summary", {}, words(title)), el("ul", {}, ...items));
  }
  if (!isObject(value)) return null;
  const plain = Object.entries(value).filter(([, v]) => !isObject(v) && !Array.isArray(v) && v !== null);
  const rows = plain.slice(0, 400).map(([k, v]) => el("tr", {}, el("th", {}, words(k)), el("td", {}, leaf(v))));
  const nested = Object.entries(value).flatMap(([k, v]) => tree(v, k) ?? []);
  const table = rows.length > 0 ? el("table", { class: "facts" }, ...rows) : null;
  if (title === "") return el("div", {}, table, ...nested);
  return el("details", { open: plain.length <= 30 }, el("summary", {}, words(title)), table, ...nested);
}

interface Verification {
  companion: string;
  rows: number;
  end_error: number;
  tolerances: number | null;
  digits: number;
  worst: { channel: string; unit: string; difference: number; error: number; digits: number; at_the_end: number }[];
  parting: { t: number; channel: string } | null;
  growth: { rate: number } | null;
  work: number;
}

/** What a second run by another way has found. */
function verification(found: Verification, visit: (t: number, channel: string) => void): HTMLElement {
  const off = found.tolerances === null ? "" : `, ${digits(found.tolerances, 3)} tolerances`;
  const words = [
    `Computed once more by ${found.companion}: positions and velocities agree to ${digits(found.digits, 3)} digits throughout and end ${digits(found.end_error, 2)} of their range apart${off}.`,
  ];
  if (found.growth !== null) words.push(`Errors grow as exp(${digits(found.growth.rate, 3)} t): the motion is chaotic, or passes close to an unstable state.`);
  const parting = found.parting;
  const cells = (row: Verification["worst"][number]) => [
    el("td", {}, row.channel),
    el("td", {}, digits(row.digits, 3)),
    el("td", {}, `${digits(row.difference, 3)} ${row.unit}`),
    el("td", {}, digits(row.at_the_end, 3)),
  ];
  const start = parting?.t ?? null;
  const rows = found.worst.map((row) =>
    el("tr", { title: "Draw this channel", onclick: () => visit(start ?? Number.NaN, row.channel) }, ...cells(row)),
  );
  const head = ["least agreement", "digits", "largest difference", "at the end, of the range"].map((h) => el("th", {}, h));
  return el(
    "details",
    { open: true, class: "verification" },
    el("summary", {}, "verification"),
    ...words.map((text) => el("p", {}, text)),
    parting === null ? null : el("p", { class: "remark doubt parting", onclick: () => visit(parting.t, parting.channel) }, `The two part at t = ${digits(parting.t, 4)} s: ${parting.channel}.`),
    el("table", { class: "list" }, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows)),
  );
}

/** Verdict, doubts, notes, failure, and the outcome in all detail; `visit` goes to a time and draws a channel. */
export function summary(page: PageData, visit: (t: number, channel: string) => void): HTMLElement {
  const list = (kind: string, texts: string[]) => texts.map((text) => el("p", { class: `remark ${kind}` }, text));
  const shown = isObject(page.summary) ? { ...page.summary } : {};
  const verified = isObject(shown.verification) ? (shown.verification as unknown as Verification) : null;
  for (const key of ["doubts", "notes", "verdict", "failure", "files", "lint", "verification"]) delete shown[key];
  return el(
    "div",
    { class: "summary" },
    el("p", { class: `verdict ${page.tone}` }, `${page.title}: ${page.verdict}`),
    ...list("doubt", page.doubts),
    ...list("note", page.notes),
    page.failure === null ? null : el("pre", { class: "failure" }, page.failure),
    ...[...(page.table?.thinned ?? [])].map((text) => el("p", { class: "thinned" }, text)),
    verified === null ? null : verification(verified, visit),
    tree(shown, ""),
    el("p", { class: "thinned" }, `linkwork ${page.version}`),
  );
}

interface Block {
  source: number;
  first: number;
  last: number;
}

/** The texts of the model with line numbers; blocks of parts can be shown. */
export class ModelText {
  readonly element: HTMLElement;
  private readonly blocks = new Map<string, Block>();
  private readonly lines: HTMLElement[][];
  private readonly pres: HTMLElement[];
  private readonly texts: string[][];

  constructor(sources: PageData["sources"]) {
    this.texts = sources.map((s) => s.text.split("\n"));
    this.lines = this.texts.map((text) =>
      text.slice(0, 20000).map((line, i) =>
        el("div", { class: "line" }, el("span", { class: "number" }, String(i + 1)), line === "" ? " " : line),
      ),
    );
    this.pres = this.lines.map((lines) => el("pre", { class: "text" }, ...lines));
    sources.forEach((s, i) => this.find(s.text, s.prefix, i));
    const choices = sources.map((s, i) => el("option", { value: i }, s.name));
    const select = el("select", { onchange: () => this.show(Number(select.value)) }, ...choices);
    this.element = el("div", { class: "model" }, sources.length > 1 ? select : el("p", { class: "thinned" }, sources[0]?.name ?? ""), ...this.pres);
    this.show(0);
  }

  /** Marks the lines of a part; whether it has any. */
  mark(name: string | null): boolean {
    for (const line of this.lines.flat()) line.classList.remove("marked");
    const block = name === null ? undefined : this.blocks.get(name);
    if (!block) return false;
    this.show(block.source);
    for (let i = block.first; i <= block.last; i++) this.lines[block.source][i]?.classList.add("marked");
    this.lines[block.source][block.first]?.scrollIntoView({ block: "center" });
    return true;
  }

  /** Where the text of a part is, and the text; `null` for what has none. */
  excerpt(name: string): { place: string; text: string } | null {
    const block = this.blocks.get(name);
    if (!block) return null;
    const { source, first, last } = block;
    return { place: `lines ${first + 1} to ${last + 1}`, text: this.texts[source].slice(first, last + 1).join("\n") };
  }

  private show(source: number): void {
    this.pres.forEach((pre, i) => pre.classList.toggle("hidden", i !== source));
  }

  /** Items begin with a header; a `name` in them says whose they are. */
  private find(text: string, prefix: string, source: number): void {
    let first = -1;
    let name: string | null = null;
    let last = -1;
    const close = () => {
      if (name !== null) this.blocks.set(prefix + name, { source, first, last });
    };
    text.split("\n").forEach((line, i) => {
      if (/^\s*\[/.test(line) && !/^\s*\[\s*[-\d."]/.test(line)) {
        close();
        [first, last, name] = [i, i, null];
        return;
      }
      const found = /^\s*name\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(line);
      if (found && name === null && first >= 0) name = found[1] ?? found[2];
      if (/^\s*[^#\s]/.test(line)) last = i;
    });
    close();
  }
}
