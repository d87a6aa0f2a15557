// Elements with text. Nothing here reads markup: what comes from a model can only become text.

type Child = Node | string | null | undefined | false;
type Options = Record<string, string | number | boolean | EventListener | undefined>;

/** An element. Options that begin with "on" are listeners, "class" and others attributes. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  options: Options = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(options)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

/** A button. */
export function button(label: string, title: string, press: () => void, extra: Options = {}): HTMLButtonElement {
  return el("button", { type: "button", title, onclick: press, ...extra }, label);
}

/** A number in few digits. */
export function digits(x: number, n = 5): string {
  if (!Number.isFinite(x)) return "–";
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size < 1e-3 || size >= 1e6) return x.toExponential(Math.max(0, n - 2));
  return String(Number(x.toPrecision(n)));
}

/** Hands a text to the user as a file. */
export function download(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** A name as that of a file. */
export function fileName(name: string): string {
  return name.replace(/[^\p{L}\p{N}_-]+/gu, "_");
}
