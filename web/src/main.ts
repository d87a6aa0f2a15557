// The page: reads its data, lays out its panels, lets time pass.

import type { Owner } from "./batch";
import { Window } from "./chart";
import { type PageData, type SceneData, Table } from "./data";
import { button, digits, el } from "./dom";
import { Inspector } from "./inspector";
import { Lanes } from "./lanes";
import { Loads } from "./loads";
import { Modes } from "./modes";
import { ModelText, summary } from "./panels";
import { Player } from "./player";
import { Plots } from "./plots";
import { Stage } from "./stage";

const WHAT: Record<string, string> = {
  run: "simulation",
  cosim: "co-simulation",
  modes: "natural modes",
  equilibrium: "equilibrium",
  check: "check",
};

interface Tab {
  name: string;
  panel: HTMLElement;
  shown?: () => void;
}

function tabs(list: Tab[]): { element: HTMLElement; show: (name: string) => void } {
  const buttons = list.map((t) => button(t.name, t.name, () => show(t.name), { role: "tab" }));
  const show = (name: string) => {
    list.forEach((t, i) => {
      t.panel.classList.toggle("hidden", t.name !== name);
      buttons[i].setAttribute("aria-selected", String(t.name === name));
      if (t.name === name) t.shown?.();
    });
  };
  const element = el("div", { class: "side" }, el("nav", { role: "tablist" }, ...buttons), ...list.map((t) => t.panel));
  return { element, show };
}

function transport(player: Player, table: Table): HTMLElement {
  const slider = el("input", { type: "range", id: "time", min: 0, max: 1, step: "any", value: 0, "aria-label": "time" });
  slider.addEventListener("input", () => {
    // pausing shows the time where it stands, and with it moves the slider
    const share = Number(slider.value);
    player.play(false);
    player.set(player.start + share * player.length);
  });
  const clock = el("output", { class: "clock" });
  const play = button("▶", "Play or pause (space)", () => player.play(!player.playing), { class: "play" });
  const step = (by: number) => {
    player.play(false);
    const [frame, share] = table.locate(player.time);
    const to = by > 0 ? frame + 1 : share > 0 ? frame : frame - 1;
    player.set(table.times[Math.min(Math.max(to, 0), table.frames - 1)] ?? 0);
  };
  const usual = player.speed;
  const factors = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 10];
  const options = factors.map((f) => el("option", { value: f, selected: f === 1 }, `${digits(usual * f, 3)}×`));
  const speed = el("select", { title: "Simulated seconds in a second", onchange: () => {
    player.speed = usual * Number(speed.value);
  } }, ...options);
  player.onGlance((t) => {
    clock.textContent = `${digits(t, 5)} s`;
    slider.value = String(player.length > 0 ? (t - player.start) / player.length : 0);
  });
  player.onChange(() => {
    play.textContent = player.playing ? "❚❚" : "▶";
  });
  document.addEventListener("keydown", (e) => {
    if (e.target instanceof HTMLInputElement && e.target !== slider) return;
    if (e.key === " ") player.play(!player.playing);
    else if (e.key === "ArrowRight") step(1);
    else if (e.key === "ArrowLeft") step(-1);
    else if (e.key === "Home") player.set(player.start);
    else return;
    e.preventDefault();
  });
  player.set(player.start);
  return el(
    "footer",
    { class: "transport" },
    button("|◀", "Back to the start", () => player.set(player.start)),
    button("◀", "One row back", () => step(-1)),
    play,
    button("▶|", "One row on", () => step(1)),
    slider,
    clock,
    speed,
  );
}

function viewTools(stage: Stage, scene: SceneData): HTMLElement {
  const toggle = (label: string, title: string, on: boolean, change: (on: boolean) => void) => {
    const box = el("input", { type: "checkbox", checked: on, onchange: () => change(box.checked) });
    return el("label", { title }, box, label);
  };
  const looks = (["fit", "front", "top", "side", "iso"] as const).map((side) =>
    button(side, side === "fit" ? "Show the whole motion" : `Look from ${side}`, () => stage.look(side)),
  );
  const scale = el("input", { type: "range", min: 0, max: 1, step: 0.01, value: 0, title: "Length of force and torque arrows", id: "arrows" });
  const legend = el("span", { class: "legend" });
  scale.addEventListener("input", () => {
    stage.arrows.scale = Number(scale.value);
    const { force, torque } = stage.arrows.largest;
    const words = [force > 0 ? `${digits(force, 3)} N` : "", torque > 0 ? `${digits(torque, 3)} N m` : ""].filter(Boolean);
    legend.textContent = stage.arrows.scale > 0 ? `longest: ${words.join(", ")}` : "";
    stage.update();
  });
  const traces = scene.points.length > 0
    ? button("paths", "Draw the paths of all point sensors", () => {
        for (const p of scene.points) stage.tracePoint(p.b, p.point_b);
      })
    : null;
  return el(
    "div",
    { class: "tools" },
    ...looks,
    toggle("start", "The start pose as a ghost", false, (on) => stage.show("ghost", on)),
    toggle("ground", "Grid and axes", true, (on) => stage.show("ground", on)),
    toggle("mass", "The centre of mass of the whole", false, (on) => stage.show("centre", on)),
    traces,
    stage.arrows.any ? el("label", { title: "Forces, reactions and torques" }, "forces ", scale) : null,
    legend,
    el("span", { class: "gap" }),
    button("png", "Save this picture", () => {
      el("a", { href: stage.picture(), download: "linkwork.png" }).click();
    }),
  );
}

function theme(changed: () => void): HTMLElement {
  return button("◐", "Light or dark", () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    changed();
  });
}

function begin(): void {
  const text = document.getElementById("data")?.textContent ?? "{}";
  const page = JSON.parse(text) as PageData;
  const table = new Table(page.table);
  const player = new Player(table.start, table.end);
  const window_ = new Window(player.start, player.end > player.start ? player.end : player.start + 1);
  const events = page.events;
  const scene = page.scene && page.scene.bodies.length > 0 ? page.scene : null;

  const view = el("div", { class: "view" });
  const plots = new Plots(table, player, window_, events, page.title);
  const lanes = new Lanes(player, window_, events);
  const modelText = new ModelText(page.sources);
  const app = document.getElementById("app");
  if (!app) return;

  let inspector: Inspector | null = null;
  // panels measure themselves, so they must be on the page before they draw
  const lanePanel = el("div", { class: "panel" }, lanes.element);
  const modePanel = el("div", { class: "panel" });
  const list: Tab[] = [];
  if (page.modes.length > 0 && scene) list.push({ name: "Modes", panel: modePanel });
  list.push({ name: "Plots", panel: el("div", { class: "panel" }, plots.element), shown: () => plots.resize() });
  const loads = scene && table.frames > 0 ? new Loads(scene, table, player, (owner) => inspector?.show(owner)) : null;
  if (loads?.any) list.push({ name: "Loads", panel: el("div", { class: "panel" }, loads.element) });
  if (page.lanes || page.coupling || events.length > 0) list.push({ name: "Solver", panel: lanePanel, shown: () => lanes.resize() });
  const visit = (t: number, name: string) => {
    const channel = table.find(name);
    side.show("Plots");
    if (channel) plots.draw(channel);
    if (Number.isFinite(t)) player.set(t);
  };
  list.push({ name: "Summary", panel: el("div", { class: "panel" }, summary(page, visit)) });
  if (page.sources.length > 0) list.push({ name: "Model", panel: el("div", { class: "panel" }, modelText.element) });
  const side = tabs(list);
  const refresh = () => {
    plots.refresh();
    lanes.refresh();
  };
  const header = el(
    "header",
    { class: "top" },
    el("h1", {}, page.title),
    el("span", { class: "what" }, WHAT[page.what] ?? page.what),
    el("span", { class: `badge ${page.tone}` }, page.verdict),
    el("span", { class: "gap" }),
    theme(refresh),
  );
  const main = el("main", { class: scene ? "" : "flat" }, view, side.element);
  app.append(header, main);
  if (table.frames > 1) app.append(transport(player, table));
  if (page.lanes) lanes.story(page.lanes);
  if (page.coupling) lanes.coupling(new Table(page.coupling));
  lanes.happenings(page.events_left_out);
  side.show(page.failure !== null || table.frames === 0 ? "Summary" : list[0].name);

  let stage: Stage | null = null;
  let modes: Modes | null = null;
  if (scene) {
    try {
      stage = new Stage(view, scene, table, player);
    } catch (e) {
      view.append(el("p", { class: "nothing" }, `This browser draws no 3D (${String(e)}); plots and words are there.`));
    }
  }
  if (stage && scene) {
    inspector = new Inspector(scene, table, stage, player, modelText, (c) => {
      side.show("Plots");
      plots.draw(c);
    }, () => side.show("Model"));
    view.append(viewTools(stage, scene), inspector.element);
    stage.onPick = (owner) => inspector?.show(owner);
    if (page.modes.length > 0) {
      modes = new Modes(page.modes, scene, stage);
      modePanel.append(modes.element);
    }
  }
  offer({ page, player, stage, scene, table, inspector });

  let before = performance.now();
  const tick = (now: number) => {
    const seconds = Math.min((now - before) / 1000, 0.2);
    before = now;
    player.advance(seconds);
    modes?.advance(seconds);
    stage?.draw();
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}

/** What scripts outside the page may do with it: notebooks and tests. */
function offer(parts: {
  page: PageData;
  player: Player;
  stage: Stage | null;
  scene: SceneData | null;
  table: Table;
  inspector: Inspector | null;
}): void {
  const { player, stage, scene, table, inspector } = parts;
  const number = (name: string) => scene?.bodies.findIndex((b) => b.name === name) ?? -1;
  const api = {
    bodies: () => scene?.bodies.map((b) => b.name) ?? [],
    channels: () => table.channels.map((c) => c.name),
    time: () => player.time,
    range: () => [player.start, player.end],
    setTime: (t: number) => player.set(t),
    play: (on: boolean) => player.play(on),
    picture: () => stage?.picture() ?? "",
    frames: () => stage?.frames ?? 0,
    place: (name: string) => stage?.poses.positions[number(name)]?.toArray() ?? null,
    project: (name: string) => (stage && number(name) >= 0 ? stage.project(number(name)) : null),
    pick: (x: number, y: number): Owner | null => stage?.pick(x, y) ?? null,
    select: (name: string) => inspector?.show(number(name) >= 0 ? { type: "body", index: number(name) } : null),
  };
  (window as unknown as { linkwork: typeof api }).linkwork = api;
}

begin();
