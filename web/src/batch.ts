// Many things of one geometry, drawn at once.

import {
  type BufferGeometry,
  Color,
  InstancedMesh,
  type Material,
  Matrix4,
  type Object3D,
} from "three";

/** What a drawn thing belongs to. */
export interface Owner {
  type: "body" | "joint" | "force" | "ground";
  index: number;
}

/** One drawn thing: on a body with a local frame, or placed by a function. */
export interface Item {
  owner: Owner;
  colour: Color;
  body: number;
  local: Matrix4;
  place?: (out: Matrix4) => boolean;
}

const NOTHING = new Matrix4().makeScale(0, 0, 0);

export class Batch {
  readonly items: Item[] = [];
  mesh: InstancedMesh | null = null;

  constructor(
    readonly geometry: BufferGeometry,
    private readonly material: Material,
  ) {}

  build(parent: Object3D): void {
    if (this.items.length === 0) return;
    const mesh = new InstancedMesh(this.geometry, this.material, this.items.length);
    mesh.frustumCulled = false;
    mesh.userData.batch = this;
    this.items.forEach((item, i) => mesh.setColorAt(i, item.colour));
    this.mesh = mesh;
    parent.add(mesh);
  }

  update(bodies: Matrix4[]): void {
    const { mesh } = this;
    if (!mesh) return;
    const matrix = new Matrix4();
    this.items.forEach((item, i) => {
      if (item.place) {
        if (!item.place(matrix)) matrix.copy(NOTHING);
      } else if (item.body >= 0) {
        matrix.multiplyMatrices(bodies[item.body], item.local);
      } else {
        matrix.copy(item.local);
      }
      mesh.setMatrixAt(i, matrix);
    });
    mesh.instanceMatrix.needsUpdate = true;
    // picking measures anew
    mesh.boundingSphere = null;
  }

  /** Colours of all items, those of one owner brighter. */
  highlight(owner: Owner | null): void {
    const { mesh } = this;
    if (!mesh) return;
    const bright = new Color(0xffb000);
    this.items.forEach((item, i) => {
      const chosen = owner !== null && item.owner.type === owner.type && item.owner.index === owner.index;
      mesh.setColorAt(i, chosen ? bright : item.colour);
    });
    if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
  }
}
