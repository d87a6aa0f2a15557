// Centre lines of flexible bodies: places in the body, displaced by amplitudes of modes.

import { BufferGeometry, Float32BufferAttribute, Line, LineBasicMaterial, type Object3D, Vector3 } from "three";
import type { CentreLine, Channel, SceneData, Table } from "./data";
import { bodyColour } from "./draw";
import type { Poses } from "./poses";

interface Drawn {
  of: CentreLine;
  amplitudes: (Channel | undefined)[];
  line: Line;
}

export class CentreLines {
  private readonly drawn: Drawn[];
  private readonly at = new Vector3();

  constructor(
    scene: SceneData,
    private readonly table: Table,
    private readonly poses: Poses,
  ) {
    this.drawn = scene.lines.map((of) => {
      const name = scene.bodies[of.body].name;
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", new Float32BufferAttribute(new Float32Array(3 * of.places.length), 3));
      const line = new Line(geometry, new LineBasicMaterial({ color: bodyColour(of.body), linewidth: 2 }));
      line.frustumCulled = false;
      return { of, amplitudes: of.modes.map((_, k) => table.find(`${name}.mode${k + 1}`)), line };
    });
  }

  build(parent: Object3D): void {
    for (const { line } of this.drawn) parent.add(line);
  }

  /** Bends all lines as they are at a time, where the bodies are now. */
  update(time: number): void {
    for (const { of, amplitudes, line } of this.drawn) {
      const sizes = amplitudes.map((c) => (c && this.table.frames > 0 ? this.table.value(c, time) : 0));
      const position = line.geometry.getAttribute("position");
      of.places.forEach((place, i) => {
        const p: [number, number, number] = [...place];
        sizes.forEach((size, k) => {
          if (!Number.isFinite(size)) return;
          for (let j = 0; j < 3; j++) p[j] += size * of.modes[k][i][j];
        });
        this.poses.place(of.body, p, this.at);
        position.setXYZ(i, this.at.x, this.at.y, this.at.z);
      });
      position.needsUpdate = true;
    }
  }
}
