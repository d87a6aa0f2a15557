// Mode shapes: a list, and the motion of the chosen one.

import type { Mode, SceneData } from "./data";
import { button, digits, el } from "./dom";
import type { Stage } from "./stage";

/** Seconds of the clock for one period. */
const PERIOD = 1.6;

export class Modes {
  readonly element: HTMLElement;
  playing = true;
  private phase = 0;
  private amplitude: number;
  private current: Mode;
  private damped = false;
  private readonly rows: HTMLElement[];

  constructor(
    private readonly modes: Mode[],
    private readonly scene: SceneData,
    private readonly stage: Stage,
  ) {
    this.current = modes.find((m) => m.frequency_hz > 0) ?? modes[0];
    this.amplitude = this.fitting();
    this.rows = modes.map((m) =>
      el(
        "tr",
        { onclick: () => this.choose(m) },
        ...[String(m.number), digits(m.frequency_hz), m.kind.startsWith("free") ? "–" : digits(m.damping_ratio, 4), m.kind, m.words].map(
          (text) => el("td", {}, text),
        ),
      ),
    );
    const head = ["mode", "frequency / Hz", "damping", "kind", "what moves"].map((h) => el("th", {}, h));
    const size = el("input", { type: "range", min: 0, max: 2, step: 0.01, value: 1, title: "Size of the motion" });
    size.addEventListener("input", () => {
      this.amplitude = this.fitting() * Number(size.value);
      this.apply();
    });
    const damped = el("input", { type: "checkbox", onchange: () => {
      this.damped = damped.checked;
    } });
    this.element = el(
      "div",
      { class: "modes" },
      el(
        "div",
        { class: "row" },
        button("play / stop", "Let the mode move or stop it", () => {
          this.playing = !this.playing;
        }),
        el("label", {}, "size ", size),
        el("label", {}, damped, " with damping"),
      ),
      el("table", { class: "list pick" }, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...this.rows)),
    );
    this.choose(this.current);
  }

  choose(mode: Mode): void {
    this.current = mode;
    this.phase = 0;
    this.amplitude = this.fitting();
    this.modes.forEach((m, i) => this.rows[i].classList.toggle("marked", m === mode));
    this.apply();
  }

  advance(seconds: number): void {
    if (!this.playing) return;
    this.phase += (2 * Math.PI * seconds) / PERIOD;
    // a decay is shown over four periods, then it begins again
    if (this.damped && this.phase > 8 * Math.PI) this.phase = 0;
    this.apply();
  }

  /** The size at which the mode moves the mechanism by a tenth of its extent. */
  private fitting(): number {
    let most = 0;
    for (const b of this.current.bodies) {
      const way = Math.hypot(...b.slice(0, 3), ...b.slice(6, 9));
      const turn = Math.hypot(...b.slice(3, 6), ...b.slice(9, 12));
      most = Math.max(most, way / this.scene.size, 0.4 * turn);
    }
    return most > 0 ? 0.14 / most : 0;
  }

  private apply(): void {
    const { current } = this;
    const ratio = Math.min(Math.abs(current.damping_ratio), 1);
    const slow = current.frequency_hz > 0 ? ratio / Math.sqrt(Math.max(1 - ratio * ratio, 1e-4)) : 0.3;
    const decay = this.damped ? Math.exp(-Math.sign(current.damping_ratio || 1) * slow * this.phase) : 1;
    this.stage.poses.mode = { mode: current, phase: this.phase, amplitude: this.amplitude * Math.min(decay, 4) };
    this.stage.update();
  }
}
