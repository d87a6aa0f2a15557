// Forces, reactions and torques as arrows. One scale for all forces, one for all torques: the largest
// of the whole motion is as long as the scale slider says.

import { Color, Matrix4, MeshLambertMaterial, type Object3D, Quaternion, Vector3 } from "three";
import { Batch } from "./batch";
import type { Channel, Part, SceneData, Table } from "./data";
import { geometry } from "./draw";
import type { Poses } from "./poses";

interface Arrow {
  part: Part;
  owner: { type: "joint" | "force"; index: number };
  /** Components, or one value along the line of two points. */
  channels: Channel[];
  torque: boolean;
  along: boolean;
  colour: Color;
}

const REACTION = new Color(0xd6336c);
const LOAD = new Color(0x1c7ed6);
const TORQUE = new Color(0x9c36b5);
const Z = new Vector3(0, 0, 1);

export class Arrows {
  readonly batches: Batch[];
  /** Length of the largest force in sizes of the mechanism; 0 hides all. */
  scale = 0;
  /** The largest force and torque, for the legend. */
  readonly largest = { force: 0, torque: 0 };
  private readonly arrows: Arrow[] = [];

  constructor(
    private readonly scene: SceneData,
    private readonly table: Table,
    private readonly poses: Poses,
    private readonly time: () => number,
  ) {
    const axes = ["x", "y", "z"];
    const vector = (name: string) => axes.map((k) => table.find(`${name}.${k}`)).filter((c) => c) as Channel[];
    scene.joints.forEach((part, index) => {
      const owner = { type: "joint", index } as const;
      this.add(part, owner, vector(`${part.name}.reaction`), false, REACTION);
      const torque = vector(`${part.name}.reaction.torque`);
      const flat = table.find(`${part.name}.reaction.torque`);
      this.add(part, owner, torque.length ? torque : flat ? [flat] : [], true, TORQUE);
    });
    scene.forces.forEach((part, index) => {
      const owner = { type: "force", index } as const;
      if (part.kind === "force") this.add(part, owner, vector(part.name), false, LOAD);
      const line = table.find(`${part.name}.force`);
      if (line && ["spring_damper", "line_force"].includes(part.kind)) {
        this.arrows.push({ part, owner, channels: [line], torque: false, along: true, colour: LOAD });
        this.measure([line], false);
      }
    });
    const material = new MeshLambertMaterial();
    const shaft = new Batch(geometry("cylinder", 100), material);
    const head = new Batch(geometry("cone", 100), material);
    this.batches = [shaft, head];
    for (const arrow of this.arrows) {
      for (const [batch, tip] of [[shaft, false], [head, true]] as const) {
        batch.items.push({
          owner: arrow.owner,
          colour: arrow.colour,
          body: -1,
          local: new Matrix4(),
          place: (out) => this.place(arrow, tip, out),
        });
      }
    }
  }

  get any(): boolean {
    return this.arrows.length > 0;
  }

  build(parent: Object3D): void {
    for (const batch of this.batches) batch.build(parent);
  }

  private add(part: Part, owner: Arrow["owner"], channels: Channel[], torque: boolean, colour: Color): void {
    if (channels.length === 0) return;
    this.arrows.push({ part, owner, channels, torque, along: false, colour });
    this.measure(channels, torque);
  }

  private measure(channels: Channel[], torque: boolean): void {
    const columns = channels.map((c) => this.table.column(c));
    for (let i = 0; i < this.table.frames; i++) {
      const size = Math.hypot(...columns.map((c) => c[i]));
      const key = torque ? "torque" : "force";
      if (Number.isFinite(size)) this.largest[key] = Math.max(this.largest[key], size);
    }
  }

  private place(arrow: Arrow, tip: boolean, out: Matrix4): boolean {
    if (this.scale <= 0) return false;
    const { part, channels } = arrow;
    const t = this.time();
    const values = channels.map((c) => this.table.value(c, t));
    const at = this.poses.place(part.b, part.point_b, new Vector3());
    const direction = new Vector3();
    if (arrow.along) {
      // tension pulls body b towards a
      this.poses.place(part.a, part.point_a, direction).sub(at).normalize().multiplyScalar(values[0]);
    } else if (channels.length === 1) {
      direction.set(0, 0, values[0]);
    } else {
      direction.set(values[0], values[1], values[2] ?? 0);
      if (part.turns && part.b >= 0) direction.applyQuaternion(this.poses.quaternions[part.b]);
    }
    const size = direction.length();
    const largest = arrow.torque ? this.largest.torque : this.largest.force;
    if (!(size > 1e-6 * largest)) return false;
    const full = this.scale * this.scene.size;
    const length = (full * size) / largest;
    const width = 0.011 * this.scene.size;
    const cone = Math.min(0.5 * length, 5 * width);
    direction.divideScalar(size);
    const turn = new Quaternion().setFromUnitVectors(Z, direction);
    const extent = tip ? cone : length - cone;
    const middle = tip ? length - 0.5 * cone : 0.5 * extent;
    const thin = Math.min(width, 0.2 * length);
    const radius = tip ? 2.4 * thin : thin;
    out.compose(at.addScaledVector(direction, middle), turn, new Vector3(radius, radius, extent));
    return true;
  }
}
