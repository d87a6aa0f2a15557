// The 3D view: camera, light, ground, batches, traces, picking. Drawn when something has changed.

import {
  AmbientLight,
  AxesHelper,
  Box3,
  BufferGeometry,
  Color,
  DirectionalLight,
  GridHelper,
  Group,
  HemisphereLight,
  Line,
  LineBasicMaterial,
  Mesh,
  MeshBasicMaterial,
  MeshPhongMaterial,
  PerspectiveCamera,
  Quaternion,
  Raycaster,
  Scene,
  SphereGeometry,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Arrows } from "./arrows";
import { Batch, type Owner } from "./batch";
import { CentreLines } from "./centrelines";
import type { SceneData, Table } from "./data";
import { Drawing, bodyColour } from "./draw";
import type { Player } from "./player";
import { Poses } from "./poses";

interface Trace {
  body: number;
  line: Line;
}

export class Stage {
  readonly poses: Poses;
  readonly arrows: Arrows;
  private readonly lines: CentreLines;
  readonly renderer: WebGLRenderer;
  readonly up: Vector3;
  frames = 0;
  follow = -1;
  selected: Owner | null = null;
  onPick: (owner: Owner | null) => void = () => {};
  private readonly scene = new Scene();
  private readonly camera = new PerspectiveCamera(32, 1, 0.01, 1000);
  private readonly controls: OrbitControls;
  private readonly drawing: Drawing;
  private readonly ghost = new Group();
  private readonly ground = new Group();
  private readonly centre: Mesh;
  private readonly traces: Trace[] = [];
  private readonly followed = new Vector3();
  private readonly bounds = new Box3();
  private stale = true;
  /** Puts the grid below a place, by whole cells. */
  private placeGrid: (about: Vector3) => void = () => {};

  constructor(
    readonly element: HTMLElement,
    private readonly data: SceneData,
    private readonly table: Table,
    private readonly player: Player,
  ) {
    this.renderer = new WebGLRenderer({ antialias: !drawsInSoftware(), alpha: true });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    element.append(this.renderer.domElement);
    this.poses = new Poses(data, table);
    this.up = upwards(data);
    this.camera.up.copy(this.up);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.enableDamping = false;
    this.controls.addEventListener("change", () => this.touch());

    this.scene.add(new HemisphereLight(0xffffff, 0x8a8f98, 1.9), new AmbientLight(0xffffff, 0.35));
    const sun = new DirectionalLight(0xffffff, 2.1);
    sun.position.copy(this.up).multiplyScalar(2).add(new Vector3(0.8, data.planar ? 0.6 : -1.2, 1.4));
    this.scene.add(sun);

    this.drawing = new Drawing(data, this.poses);
    for (const batch of [...this.drawing.bodies, ...this.drawing.marks]) batch.build(this.scene);
    this.arrows = new Arrows(data, table, this.poses, () => this.player.time);
    this.arrows.build(this.scene);
    this.lines = new CentreLines(data, table, this.poses);
    this.lines.build(this.scene);
    this.buildGhost();
    this.centre = new Mesh(
      new SphereGeometry(0.022 * data.size, 16, 12),
      new MeshBasicMaterial({ color: 0xf03e3e, depthTest: false, transparent: true, opacity: 0.85 }),
    );
    this.centre.visible = false;
    this.centre.renderOrder = 2;
    this.scene.add(this.ghost, this.ground, this.centre);
    this.measure();
    this.buildGround();
    this.resize();
    this.look(data.planar ? "front" : "iso");
    this.listen();
    player.onTime(() => this.update());
    this.update();
  }

  /** Asks for a new picture. */
  touch(): void {
    this.stale = true;
  }

  /** Draws if something has changed. */
  draw(): void {
    if (!this.stale) return;
    this.stale = false;
    this.renderer.render(this.scene, this.camera);
    this.frames++;
  }

  /** The picture as a PNG, as a data URL. */
  picture(): string {
    this.renderer.render(this.scene, this.camera);
    return this.renderer.domElement.toDataURL();
  }

  update(): void {
    this.poses.at(this.player.time);
    for (const batch of [...this.drawing.bodies, ...this.drawing.marks, ...this.arrows.batches]) {
      batch.update(this.poses.matrices);
    }
    this.lines.update(this.player.time);
    if (this.centre.visible) this.placeCentre();
    if (this.follow >= 0) {
      const now = this.poses.positions[this.follow];
      const move = now.clone().sub(this.followed);
      this.camera.position.add(move);
      this.controls.target.add(move);
      this.followed.copy(now);
      this.controls.update();
      this.placeGrid(now);
    }
    this.touch();
  }

  show(what: "ghost" | "ground" | "centre", on: boolean): void {
    this[what].visible = on;
    this.update();
  }

  followBody(body: number): void {
    this.follow = body;
    if (body >= 0) this.followed.copy(this.poses.positions[body]);
  }

  highlight(owner: Owner | null): void {
    this.selected = owner;
    for (const batch of [...this.drawing.bodies, ...this.drawing.marks]) batch.highlight(owner);
    this.touch();
  }

  /** Adds or removes the path of the centre of mass of a body; whether it is there now. */
  trace(body: number): boolean {
    const at = this.traces.findIndex((t) => t.body === body);
    if (at >= 0) {
      const [old] = this.traces.splice(at, 1);
      this.scene.remove(old.line);
      this.touch();
      return false;
    }
    this.addTrace(body, [0, 0, 0], bodyColour(body));
    return true;
  }

  tracePoint(body: number, point: [number, number, number]): void {
    this.addTrace(body, point, new Color(0xe8590c));
  }

  traced(body: number): boolean {
    return this.traces.some((t) => t.body === body);
  }

  private addTrace(body: number, point: [number, number, number], colour: Color): void {
    const path = this.poses.path(body, point, this.player.time);
    const line = new Line(new BufferGeometry().setFromPoints(path), new LineBasicMaterial({ color: colour }));
    line.frustumCulled = false;
    this.scene.add(line);
    this.traces.push({ body, line });
    this.update();
  }

  /** Turns the camera to a side and shows the whole motion. */
  look(side: "front" | "top" | "side" | "iso" | "fit"): void {
    const centre = this.bounds.getCenter(new Vector3());
    const radius = Math.max(0.5 * this.bounds.getSize(new Vector3()).length(), 0.2 * this.data.size);
    const across = this.data.planar ? new Vector3(0, 0, 1) : ahead(this.up);
    const right = new Vector3().crossVectors(this.up, across);
    let direction: Vector3;
    switch (side) {
      case "front":
        direction = across;
        break;
      case "top":
        direction = this.up.clone().addScaledVector(across, 1e-3);
        break;
      case "side":
        direction = right;
        break;
      case "iso":
        direction = across.clone().addScaledVector(right, 0.8).addScaledVector(this.up, 0.6);
        break;
      case "fit":
        direction = this.camera.position.clone().sub(this.controls.target);
    }
    const half = (this.camera.fov * Math.PI) / 360;
    const narrow = Math.min(1, this.camera.aspect);
    const distance = (0.92 * radius) / (Math.sin(half) * narrow);
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(direction.normalize(), distance);
    this.camera.near = distance / 200;
    this.camera.far = distance * 40;
    this.camera.updateProjectionMatrix();
    if (this.follow >= 0) this.followed.copy(this.poses.positions[this.follow]);
    this.controls.update();
    this.touch();
  }

  /** Where a body is on the canvas, in pixels of the page. */
  project(body: number): [number, number] {
    const p = this.poses.positions[body].clone().project(this.camera);
    const box = this.renderer.domElement.getBoundingClientRect();
    return [box.left + ((p.x + 1) / 2) * box.width, box.top + ((1 - p.y) / 2) * box.height];
  }

  /** What is drawn at a place of the page. */
  pick(x: number, y: number): Owner | null {
    const box = this.renderer.domElement.getBoundingClientRect();
    const at = new Vector2(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2);
    const ray = new Raycaster();
    ray.setFromCamera(at, this.camera);
    const meshes = [...this.drawing.bodies, ...this.drawing.marks].flatMap((b) => (b.mesh ? [b.mesh] : []));
    const [hit] = ray.intersectObjects(meshes, false);
    if (!hit || hit.instanceId === undefined) return null;
    const batch = hit.object.userData.batch as Batch;
    return batch.items[hit.instanceId].owner;
  }

  resize(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.touch();
  }

  private listen(): void {
    const canvas = this.renderer.domElement;
    let down: [number, number] | null = null;
    canvas.addEventListener("pointerdown", (e) => {
      down = [e.clientX, e.clientY];
    });
    canvas.addEventListener("pointerup", (e) => {
      if (down && Math.hypot(e.clientX - down[0], e.clientY - down[1]) < 4) {
        this.onPick(this.pick(e.clientX, e.clientY));
      }
      down = null;
    });
    new ResizeObserver(() => this.resize()).observe(this.element);
  }

  /** The box of the whole motion; of the start alone where bodies travel far, and then the heaviest is followed. */
  private measure(): void {
    const { data, table } = this;
    const margin = 0.18 * data.size;
    this.bounds.makeEmpty();
    const reach = (box: Box3) => {
      for (const p of this.poses.positions) box.expandByPoint(p);
      for (const part of [...data.joints, ...data.forces]) {
        for (const [body, point] of [[part.a, part.point_a], [part.b, part.point_b]] as const) {
          if (body >= 0) box.expandByPoint(this.poses.place(body, point, new Vector3()));
          else if (part.kind !== "motion") box.expandByPoint(new Vector3(...point));
        }
      }
    };
    reach(this.bounds);
    const start = this.bounds.clone();
    const looks = data.bodies.length > 1000 ? 8 : 60;
    for (let i = 1; i <= looks; i++) {
      this.poses.at(table.start + ((table.end - table.start) * i) / looks);
      reach(this.bounds);
    }
    this.poses.at(table.start);
    const far = this.bounds.getSize(new Vector3()).length() > 6 * Math.max(start.getSize(new Vector3()).length(), data.size);
    if (far && data.bodies.length < 100) {
      this.bounds.copy(start);
      let heaviest = 0;
      data.bodies.forEach((b, i) => {
        if (b.mass > data.bodies[heaviest].mass) heaviest = i;
      });
      this.followBody(heaviest);
    }
    if (this.bounds.isEmpty()) this.bounds.expandByPoint(new Vector3());
    this.bounds.expandByScalar(margin);
  }

  private buildGround(): void {
    const { data } = this;
    const size = this.bounds.getSize(new Vector3()).length();
    const step = 10 ** Math.floor(Math.log10(size / 4));
    const cells = Math.ceil((1.6 * size) / step);
    const grid = new GridHelper(cells * step, cells, 0x868e96, 0xadb5bd);
    const material = grid.material as LineBasicMaterial;
    material.transparent = true;
    material.opacity = 0.35;
    material.depthWrite = false;
    const normal = data.planar ? new Vector3(0, 0, 1) : this.up;
    grid.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), normal);
    const level = data.planar ? -0.12 * data.size : normal.dot(this.bounds.min.clone().addScalar(0.02 * size));
    this.placeGrid = (about: Vector3) => {
      const snap = (x: number) => Math.round(x / step) * step;
      grid.position.set(snap(about.x), snap(about.y), snap(about.z));
      grid.position.addScaledVector(normal, level - grid.position.dot(normal));
    };
    this.placeGrid(this.bounds.getCenter(new Vector3()));
    const axes = new AxesHelper(0.22 * data.size);
    axes.renderOrder = 1;
    this.ground.add(grid, axes);
  }

  private buildGhost(): void {
    this.ghost.visible = false;
    const material = new MeshPhongMaterial({ color: 0x999999, transparent: true, opacity: 0.22, depthWrite: false });
    this.poses.at(this.table.start);
    if (this.table.frames < 2) this.poses.atStart();
    for (const batch of this.drawing.bodies) {
      const copy = new Batch(batch.geometry, material);
      for (const item of batch.items) copy.items.push({ ...item, colour: new Color(0xffffff) });
      copy.build(this.ghost);
      copy.update(this.poses.matrices);
    }
  }

  private placeCentre(): void {
    const sum = new Vector3();
    let mass = 0;
    this.data.bodies.forEach((b, i) => {
      sum.addScaledVector(this.poses.positions[i], b.mass);
      mass += b.mass;
    });
    this.centre.position.copy(mass > 0 ? sum.divideScalar(mass) : sum);
  }
}

/** Whether there is no graphics processor: then edges are not smoothed, which would take most of the time. */
function drawsInSoftware(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  const info = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = info && gl ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(name);
}

/** Away from gravity, along an axis; z where there is none, y in the plane. */
function upwards(data: SceneData): Vector3 {
  if (data.planar) return new Vector3(0, 1, 0);
  const g = new Vector3(...data.gravity);
  if (g.length() === 0) return new Vector3(0, 0, 1);
  const sizes = g.toArray().map(Math.abs);
  const largest = sizes.indexOf(Math.max(...sizes));
  const up = new Vector3();
  return up.setComponent(largest, -Math.sign(g.getComponent(largest)));
}

/** A direction to look from, level. */
function ahead(up: Vector3): Vector3 {
  const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), up);
  return new Vector3(0, -1, 0).applyQuaternion(turn);
}
