// Where bodies are: from channels over time, or from a mode shape about the only frame.

import { Matrix4, Quaternion, Vector3 } from "three";
import type { Channel, Mode, SceneData, Table } from "./data";

interface Source {
  translation: (Channel | undefined)[];
  quaternion: Channel[] | null;
  angle: Channel | undefined;
}

const Z = new Vector3(0, 0, 1);

export class Poses {
  readonly positions: Vector3[];
  readonly quaternions: Quaternion[];
  readonly matrices: Matrix4[];
  private readonly sources: Source[];
  private readonly layers: number[];
  /** The mode that moves the bodies, its phase and its size. */
  mode: { mode: Mode; phase: number; amplitude: number } | null = null;

  constructor(
    private readonly scene: SceneData,
    private readonly table: Table,
  ) {
    this.positions = scene.bodies.map(() => new Vector3());
    this.quaternions = scene.bodies.map(() => new Quaternion());
    this.matrices = scene.bodies.map(() => new Matrix4());
    // planar bodies lie in layers, as links of a real linkage do; points are where they are
    const layer = 0.032 * scene.size;
    this.layers = scene.bodies.map((b, i) => (scene.planar && b.kind !== "point" ? ((i % 5) - 2) * layer : 0));
    this.sources = scene.bodies.map((b) => {
      const channel = (what: string) => table.find(`${b.name}.${what}`);
      const parts = ["w", "x", "y", "z"].map((k) => channel(`quaternion.${k}`));
      return {
        translation: [channel("x"), channel("y"), channel("z")],
        quaternion: parts.every((c) => c) ? (parts as Channel[]) : null,
        angle: channel("angle"),
      };
    });
    this.at(table.start);
  }

  /** Moves all bodies to a time. */
  at(t: number): void {
    const [frame, share] = this.table.locate(t);
    this.mix(frame, share);
    if (this.mode) this.sway(this.mode.mode, this.mode.phase, this.mode.amplitude);
    this.finish();
  }

  /** The pose that the model text describes. */
  atStart(): void {
    this.scene.bodies.forEach((b, i) => {
      this.positions[i].set(...b.position);
      this.quaternions[i].set(b.quaternion[1], b.quaternion[2], b.quaternion[3], b.quaternion[0]);
    });
    this.finish();
  }

  private mix(frame: number, share: number): void {
    const { table } = this;
    const next = Math.min(frame + 1, table.frames - 1);
    const value = (c: Channel, i: number) => table.column(c)[i];
    const between = (c: Channel | undefined, rest: number) => {
      if (!c || table.frames === 0) return rest;
      const x = share > 0 ? value(c, frame) * (1 - share) + value(c, next) * share : value(c, frame);
      return Number.isFinite(x) ? x : rest;
    };
    const other = new Quaternion();
    this.sources.forEach((source, i) => {
      const body = this.scene.bodies[i];
      const [x, y, z] = source.translation;
      this.positions[i].set(
        between(x, body.position[0]),
        between(y, body.position[1]),
        between(z, body.position[2]),
      );
      const q = this.quaternions[i];
      const rest = body.quaternion;
      q.set(rest[1], rest[2], rest[3], rest[0]);
      if (source.quaternion && table.frames > 0) {
        const [w, a, b, c] = source.quaternion;
        const first = [value(a, frame), value(b, frame), value(c, frame), value(w, frame)] as const;
        if (first.every(Number.isFinite)) q.set(...first);
        if (share > 0) q.slerp(other.set(value(a, next), value(b, next), value(c, next), value(w, next)), share);
        q.normalize();
      } else if (source.angle) {
        const start = 2 * Math.atan2(rest[3], rest[0]);
        q.setFromAxisAngle(Z, between(source.angle, start));
      }
    });
  }

  private sway(mode: Mode, phase: number, amplitude: number): void {
    const [c, s] = [amplitude * Math.cos(phase), amplitude * Math.sin(phase)];
    const turn = new Quaternion();
    const axis = new Vector3();
    mode.bodies.forEach((shape, i) => {
      const part = (k: number) => c * shape[k] - s * shape[k + 6];
      this.positions[i].add(axis.set(part(0), part(1), part(2)));
      axis.set(part(3), part(4), part(5));
      const angle = axis.length();
      if (angle > 0) this.quaternions[i].premultiply(turn.setFromAxisAngle(axis.divideScalar(angle), angle));
    });
  }

  private finish(): void {
    const one = new Vector3(1, 1, 1);
    const lifted = new Vector3();
    this.positions.forEach((p, i) => {
      lifted.copy(p);
      lifted.z += this.layers[i];
      this.matrices[i].compose(lifted, this.quaternions[i], one);
    });
  }

  /** Where a point of a body is; of the ground for -1. In the plane all points are in the plane. */
  place(body: number, point: readonly [number, number, number], out: Vector3): Vector3 {
    out.set(...point);
    if (body >= 0 && body < this.positions.length) {
      out.applyQuaternion(this.quaternions[body]).add(this.positions[body]);
    }
    return out;
  }

  /** A direction of a body. */
  direct(body: number, direction: readonly [number, number, number], out: Vector3): Vector3 {
    out.set(...direction);
    if (body >= 0 && body < this.quaternions.length) out.applyQuaternion(this.quaternions[body]);
    return out;
  }

  /** The path of a point of a body over all frames. */
  path(body: number, point: readonly [number, number, number], t: number): Vector3[] {
    const path: Vector3[] = [];
    for (let i = 0; i < this.table.frames; i++) {
      this.mix(i, 0);
      path.push(this.place(body, point, new Vector3()));
    }
    this.at(t);
    return path;
  }
}
