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

/** Verdict, doubts, notes, failure, and the outcome in all detail. */
export function summary(page: PageData): HTMLElement {
  const list = (kind: string, texts: string[]) => texts.map((text) => el("p", { class: `remark ${kind}` }, text));
  const shown = isObject(page.summary) ? { ...page.summary } : {};
  for (const key of ["doubts", "notes", "verdict", "failure", "files", "lint"]) delete shown[key];
  return el(
    "div",
    { class: "summary" },
    el("p", { class: `verdict ${page.tone}` }, `${page.title}: ${page.verdict}`),
    ...list("doubt", page.doubts),
    ...list("note", page.notes),
    page.failure === null ? null : el("pre", { class: "failure" }, page.failure),
    ...[...(page.table?.thinned ?? [])].map((text) => el("p", { class: "thinned" }, text)),
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

  constructor(sources: PageData["sources"]) {
    this.lines = sources.map((s) =>
      s.text.split("\n").slice(0, 20000).map((line, i) =>
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

  /** The lines of a part, as text. */
  excerpt(name: string): string {
    const block = this.blocks.get(name);
    if (!block) return "";
    return `lines ${block.first + 1} to ${block.last + 1}`;
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
