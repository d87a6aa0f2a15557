// From the scene to batches: shapes of bodies, marks of joints, springs and rods, arrows.

import {
  BoxGeometry,
  BufferAttribute,
  type BufferGeometry,
  Color,
  ConeGeometry,
  ExtrudeGeometry,
  BufferGeometry as Geometry,
  type Material,
  Matrix4,
  MeshLambertMaterial,
  MeshPhongMaterial,
  Quaternion,
  Shape as Outline,
  SphereGeometry,
  TorusGeometry,
  Vector2,
  Vector3,
} from "three";
import { Batch, type Owner } from "./batch";
import { type Part, type SceneData, type Shape, type Vector, bytes } from "./data";
import type { Poses } from "./poses";

const PALETTE = [
  0x4c78a8, 0xf58518, 0x54a24b, 0xe45756, 0x72b7b2, 0xeeca3b, 0xb279a2, 0xff9da6, 0x9d755d, 0x7f9fc6,
];
const PIN = new Color(0x55585e);
const STEEL = new Color(0x9aa3ad);
const SPRING = new Color(0x2f9e8f);
const DAMPER = new Color(0x8a6fb0);
const Z = new Vector3(0, 0, 1);

export function bodyColour(index: number): Color {
  return new Color(PALETTE[index % PALETTE.length]);
}

/** A coil of radius 1 along z from -1/2 to 1/2. It is drawn about ten times as long as wide, so its wire
 * is flat here. */
function coil(): BufferGeometry {
  const [turns, around, wire] = [8, 6, 0.16];
  const rings = 20 * turns;
  const [positions, indices]: [number[], number[]] = [[], []];
  for (let i = 0; i <= rings; i++) {
    const s = i / rings;
    const radius = Math.min(1, 14 * s, 14 * (1 - s));
    const angle = 2 * Math.PI * turns * s;
    for (let j = 0; j < around; j++) {
      const turn = (2 * Math.PI * j) / around;
      const r = radius + wire * Math.cos(turn);
      positions.push(r * Math.cos(angle), r * Math.sin(angle), s - 0.5 + 0.1 * wire * Math.sin(turn));
      if (i === rings) continue;
      const [a, b] = [i * around + j, i * around + ((j + 1) % around)];
      indices.push(a, b, a + around, b, b + around, a + around);
    }
  }
  const geometry = new Geometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
  geometry.setIndex(indices);
  geometry.computeVertexNormals();
  return geometry;
}

/** A cylinder of radius 1 along z from -1/2 to 1/2, with as few corners as it takes: there are many. */
function cylinder(round: number): BufferGeometry {
  const [positions, normals, indices]: [number[], number[], number[]] = [[], [], []];
  const ring = (z: number, normal: (c: number, s: number) => [number, number, number]) => {
    const first = positions.length / 3;
    for (let i = 0; i < round; i++) {
      const angle = (2 * Math.PI * i) / round;
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      positions.push(c, s, z);
      normals.push(...normal(c, s));
    }
    return first;
  };
  const [low, high] = [-0.5, 0.5].map((z) => ring(z, (c, s) => [c, s, 0]));
  const [bottom, top] = [-0.5, 0.5].map((z) => ring(z, () => [0, 0, 2 * z]));
  for (let i = 0; i < round; i++) {
    const next = (i + 1) % round;
    indices.push(low + i, low + next, high + i, low + next, high + next, high + i);
    if (i > 0 && next > 0) indices.push(bottom, bottom + next, bottom + i, top, top + i, top + next);
  }
  const geometry = new Geometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
  geometry.setAttribute("normal", new BufferAttribute(new Float32Array(normals), 3));
  geometry.setIndex(indices);
  return geometry;
}

export type Kind = "box" | "sphere" | "cylinder" | "coil" | "torus" | "cone";

/** All that is drawn as instances. */
export class Drawing {
  readonly bodies: Batch[] = [];
  readonly marks: Batch[] = [];
  private readonly bodyKinds = new Map<Kind, Batch>();
  private readonly markKinds = new Map<Kind, Batch>();
  /** Shared by all batches; plain where there is much to draw. */
  private readonly material: Material;

  constructor(
    private readonly scene: SceneData,
    private readonly poses: Poses,
  ) {
    const many = scene.bodies.length > 40;
    this.material = many ? new MeshLambertMaterial() : new MeshPhongMaterial({ shininess: 24, specular: 0x333333 });
    for (const shape of scene.shapes) this.shape(shape);
    scene.joints.forEach((joint, i) => this.joint(joint, { type: "joint", index: i }));
    scene.forces.forEach((force, i) => this.force(force, { type: "force", index: i }));
  }

  private batch(kinds: Map<Kind, Batch>, list: Batch[], kind: Kind): Batch {
    let batch = kinds.get(kind);
    if (!batch) {
      batch = new Batch(geometry(kind, this.scene.bodies.length), this.material);
      kinds.set(kind, batch);
      list.push(batch);
    }
    return batch;
  }

  private shape(shape: Shape): void {
    const owner: Owner = shape.body < 0 ? { type: "ground", index: -1 } : { type: "body", index: shape.body };
    const colour = shape.colour ? new Color(shape.colour) : shape.body < 0 ? STEEL : bodyColour(shape.body);
    const [w, x, y, z] = shape.quaternion;
    const frame = new Matrix4().compose(new Vector3(...shape.position), new Quaternion(x, y, z, w), new Vector3(1, 1, 1));
    const put = (kind: Kind, shift: number, scale: [number, number, number]) => {
      const local = frame.clone().multiply(new Matrix4().makeTranslation(0, 0, shift)).scale(new Vector3(...scale));
      this.batch(this.bodyKinds, this.bodies, kind).items.push({ owner, colour, body: shape.body, local });
    };
    const [r, l] = [shape.radius ?? 0, shape.length ?? 0];
    switch (shape.kind) {
      case "box":
        put("box", 0, shape.size ?? [1, 1, 1]);
        break;
      case "sphere":
        put("sphere", 0, [r, r, r]);
        break;
      case "cylinder":
        put("cylinder", 0, [r, r, l]);
        break;
      case "capsule":
        put("cylinder", 0, [r, r, l]);
        put("sphere", l / 2, [r, r, r]);
        put("sphere", -l / 2, [r, r, r]);
        break;
      case "extrusion":
      case "mesh": {
        const batch = new Batch(shape.kind === "mesh" ? triangles(shape) : extrusion(shape), this.material);
        batch.items.push({ owner, colour, body: shape.body, local: frame });
        this.bodies.push(batch);
        break;
      }
    }
  }

  /** A mark at the point of a part on a body, z along the axis. */
  private mark(
    part: Part,
    owner: Owner,
    kind: Kind,
    scale: [number, number, number],
    colour = PIN,
    twist = new Quaternion(),
  ): void {
    const onA = part.b < 0;
    const axis: Vector = (onA ? part.axis_a : part.axis_b) ?? [0, 0, 1];
    const body = onA ? part.a : part.b;
    const point = onA ? part.point_a : part.point_b;
    const placed = (out: Matrix4) => {
      const place = this.poses.place(body, point, new Vector3());
      const direction = part.axis_a && !part.axis_b
        ? this.poses.direct(part.a, part.axis_a, new Vector3())
        : this.poses.direct(body, axis, new Vector3());
      const turn = new Quaternion().setFromUnitVectors(Z, direction.normalize()).multiply(twist);
      out.compose(place, turn, new Vector3(...scale));
      return true;
    };
    this.batch(this.markKinds, this.marks, kind).items.push({
      owner,
      colour,
      body,
      local: new Matrix4(),
      place: placed,
    });
  }

  /** Something between two points, z from one to the other. */
  private between(part: Part, owner: Owner, kind: Kind, radius: number, share: number, colour: Color): void {
    const [a, b, d] = [new Vector3(), new Vector3(), new Vector3()];
    const turn = new Quaternion();
    const placed = (out: Matrix4) => {
      this.poses.place(part.a, part.point_a, a);
      this.poses.place(part.b, part.point_b, b);
      d.subVectors(b, a);
      const length = d.length();
      if (!(length > 0)) return false;
      turn.setFromUnitVectors(Z, d.divideScalar(length));
      out.compose(a.add(b).multiplyScalar(0.5), turn, new Vector3(radius, radius, length * share));
      return true;
    };
    this.batch(this.markKinds, this.marks, kind).items.push({
      owner,
      colour,
      body: part.b,
      local: new Matrix4(),
      place: placed,
    });
  }

  private joint(joint: Part, owner: Owner): void {
    const s = this.scene.size;
    const many = this.scene.bodies.length > 1000;
    if (many) return;
    const across = new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), Math.PI / 2);
    const deep = this.scene.planar ? 0.22 * s : 0.085 * s;
    switch (joint.kind) {
      case "revolute":
        this.mark(joint, owner, "cylinder", [0.012 * s, 0.012 * s, deep]);
        break;
      case "spherical":
        this.mark(joint, owner, "sphere", [0.026 * s, 0.026 * s, 0.026 * s]);
        break;
      case "prismatic":
      case "cylindrical":
      case "point_on_line":
      case "screw":
        this.rail(joint, owner);
        break;
      case "universal":
      case "constant_velocity":
        this.mark(joint, owner, "cylinder", [0.012 * s, 0.012 * s, 0.09 * s]);
        this.mark(joint, owner, "cylinder", [0.012 * s, 0.012 * s, 0.09 * s], PIN, across);
        break;
      case "distance":
        this.between(joint, owner, "cylinder", 0.014 * s, 1, STEEL);
        break;
      case "fixed":
        this.mark(joint, owner, "box", [0.035 * s, 0.035 * s, 0.035 * s]);
        break;
      case "drive":
      case "motion":
        this.mark(joint, owner, "torus", [0.032 * s, 0.032 * s, 0.032 * s], new Color(0xd9480f));
        break;
      default:
        this.mark(joint, owner, "sphere", [0.015 * s, 0.015 * s, 0.015 * s]);
    }
    if (this.scene.planar && joint.a < 0 && joint.kind === "revolute") this.support(joint, owner);
  }

  /** A rail of body a that guides body b. */
  private rail(joint: Part, owner: Owner): void {
    const s = this.scene.size;
    const axis: Vector = joint.axis_a ?? [1, 0, 0];
    const placed = (out: Matrix4) => {
      const place = this.poses.place(joint.a, joint.point_a, new Vector3());
      const direction = this.poses.direct(joint.a, axis, new Vector3()).normalize();
      const turn = new Quaternion().setFromUnitVectors(Z, direction);
      // where the other body is, the rail is
      const there = this.poses.place(joint.b, joint.point_b, new Vector3());
      const reach = there.sub(place).dot(direction);
      place.addScaledVector(direction, reach);
      out.compose(place, turn, new Vector3(0.007 * s, 0.007 * s, 0.9 * s));
      return true;
    };
    this.batch(this.markKinds, this.marks, "cylinder").items.push({
      owner,
      colour: STEEL,
      body: joint.b,
      local: new Matrix4(),
      place: placed,
    });
  }

  /** A bearing on the ground: a small block below the pin. */
  private support(joint: Part, owner: Owner): void {
    const s = this.scene.size;
    const [x, y, z] = joint.point_a;
    const local = new Matrix4()
      .makeTranslation(x, y - 0.035 * s, z - 0.1 * s)
      .scale(new Vector3(0.06 * s, 0.07 * s, 0.02 * s));
    this.batch(this.markKinds, this.marks, "box").items.push({ owner, colour: STEEL, body: -1, local });
  }

  /** A part without points of its own, at those of a joint between the same bodies. */
  private atJoint(part: Part): Part {
    const same = (j: Part) => (j.a === part.a && j.b === part.b) || (j.a === part.b && j.b === part.a);
    const joint = this.scene.joints.find(same);
    if (!joint) return part;
    const flipped = joint.a !== part.a;
    return {
      ...part,
      point_a: flipped ? joint.point_b : joint.point_a,
      point_b: flipped ? joint.point_a : joint.point_b,
    };
  }

  private force(force: Part, owner: Owner): void {
    const s = this.scene.size;
    switch (force.kind) {
      case "spring_damper":
      case "line_force":
        if (force.elastic) this.between(force, owner, "coil", 0.028 * s, 1, SPRING);
        else this.between(force, owner, "cylinder", 0.014 * s, 0.55, DAMPER);
        this.between(force, owner, "cylinder", 0.004 * s, 1, STEEL);
        break;
      case "torsion_spring":
      case "torque":
        this.mark(this.atJoint(force), owner, "torus", [0.045 * s, 0.045 * s, 0.045 * s], SPRING);
        break;
      case "bushing":
        this.mark(force, owner, "cylinder", [0.03 * s, 0.03 * s, 0.05 * s], SPRING);
        break;
      case "beam":
        // the deformed centre line, from node to node
        this.between(force, owner, "cylinder", 0.012 * s, 1, STEEL);
        break;
      default:
    }
  }
}

/** Unit geometries: radius or half an edge 1 as the names have it, z from -1/2 to 1/2. */
export function geometry(kind: Kind, bodies: number): BufferGeometry {
  const round = bodies > 1000 ? 8 : bodies > 40 ? 12 : 28;
  switch (kind) {
    case "box":
      return new BoxGeometry(1, 1, 1);
    case "sphere":
      return new SphereGeometry(1, round, round / 2);
    case "cylinder":
      return cylinder(round);
    case "coil":
      return coil();
    case "torus":
      return new TorusGeometry(1, 0.16, 8, 32);
    case "cone":
      return new ConeGeometry(1, 1, 14).rotateX(Math.PI / 2);
  }
}

function extrusion(shape: Shape): BufferGeometry {
  const outline = new Outline((shape.outline ?? []).map(([x, y]) => new Vector2(x, y)));
  const thickness = shape.thickness ?? 1;
  return new ExtrudeGeometry(outline, { depth: thickness, bevelEnabled: false }).translate(0, 0, -thickness / 2);
}

function triangles(shape: Shape): BufferGeometry {
  const geometry = new Geometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(bytes(shape.triangles ?? "")), 3));
  geometry.computeVertexNormals();
  return geometry;
}
