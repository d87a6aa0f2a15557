// What the page is given, and tables as columns of numbers.

export type Vector = [number, number, number];

export interface Body {
  name: string;
  kind: string;
  mass: number;
  position: Vector;
  quaternion: [number, number, number, number];
}

export interface Part {
  name: string;
  kind: string;
  a: number;
  b: number;
  point_a: Vector;
  point_b: Vector;
  axis_a?: Vector;
  axis_b?: Vector;
  radius?: number;
  turns?: boolean;
  elastic?: boolean;
}

export interface Shape {
  body: number;
  kind: "box" | "sphere" | "cylinder" | "capsule" | "extrusion" | "mesh";
  size?: Vector;
  radius?: number;
  length?: number;
  outline?: [number, number][];
  thickness?: number;
  triangles?: string;
  position: Vector;
  quaternion: [number, number, number, number];
  colour?: string;
}

export interface CentreLine {
  body: number;
  places: Vector[];
  modes: Vector[][];
}

export interface SceneData {
  planar: boolean;
  gravity: Vector;
  size: number;
  centre: Vector;
  bodies: Body[];
  joints: Part[];
  forces: Part[];
  points: Part[];
  shapes: Shape[];
  lines: CentreLine[];
}

export interface ColumnsData {
  rows: number;
  frames: number;
  times: string;
  channels: { name: string; unit: string }[];
  values: string;
  extremes: string[];
  thinned: string[];
}

export interface Mode {
  number: number;
  frequency_hz: number;
  damping_ratio: number;
  decay: number;
  kind: string;
  words: string;
  bodies: number[][];
}

export interface Rejection {
  t: number;
  h: number;
  order: number;
  error: number | null;
  reason: string;
  limiter: number;
}

type Column = (number | null)[];

export interface Story {
  steps_per_bin: number;
  from: Column;
  to: Column;
  steps: Column;
  h_least: Column;
  h_most: Column;
  order_least: Column;
  order_most: Column;
  error: Column;
  limiter: number[];
  iterations: Column;
  jacobians: Column;
  factorisations: Column;
  evaluations: Column;
  rejected: Column;
  unsolved: Column;
  position: Column;
  velocity: Column;
  kinetic: Column;
  potential: Column;
  imbalance: Column;
  rejections: Rejection[];
  rejections_seen: number;
  owners: string[];
}

/** Something that happened at a time: a jump of forces or velocities, a switch. */
export interface Mark {
  t: number;
  kind: string;
  name: string;
  after: string;
}

export interface PageData {
  title: string;
  what: string;
  verdict: string;
  tone: string;
  doubts: string[];
  notes: string[];
  failure: string | null;
  summary: unknown;
  sources: { name: string; text: string; prefix: string }[];
  scene: SceneData | null;
  table: ColumnsData | null;
  events: Mark[];
  events_left_out: number;
  coupling: ColumnsData | null;
  lanes: Story | null;
  modes: Mode[];
  version: string;
}

/** Bytes of base64. */
export function bytes(text: string): ArrayBuffer {
  const plain = atob(text);
  const buffer = new Uint8Array(plain.length);
  for (let i = 0; i < plain.length; i++) buffer[i] = plain.charCodeAt(i);
  return buffer.buffer;
}

/** One channel. */
export interface Channel {
  index: number;
  name: string;
  unit: string;
}

/** Channels over time. */
export class Table {
  readonly times: Float64Array;
  readonly channels: Channel[];
  readonly thinned: string[];
  readonly rows: number;
  private readonly values: Float32Array;
  private readonly extremes: (string | Float64Array)[];
  private readonly byName = new Map<string, Channel>();

  constructor(data: ColumnsData | null) {
    this.times = data ? new Float64Array(bytes(data.times)) : new Float64Array();
    this.values = data ? new Float32Array(bytes(data.values)) : new Float32Array();
    this.extremes = data?.extremes ?? [];
    this.thinned = data?.thinned ?? [];
    this.rows = data?.rows ?? 0;
    this.channels = (data?.channels ?? []).map((c, index) => ({ index, name: c.name, unit: c.unit }));
    for (const c of this.channels) this.byName.set(c.name, c);
  }

  get frames(): number {
    return this.times.length;
  }

  get start(): number {
    return this.times[0] ?? 0;
  }

  get end(): number {
    return this.times[this.frames - 1] ?? 0;
  }

  find(name: string): Channel | undefined {
    return this.byName.get(name);
  }

  /** Values of a channel at the frames. */
  column(channel: Channel): Float32Array {
    return this.values.subarray(channel.index * this.frames, (channel.index + 1) * this.frames);
  }

  /** The frame before a time and the share of the way to the next. */
  locate(t: number): [number, number] {
    let low = 0;
    let high = this.frames - 1;
    if (high < 1 || t <= this.times[0]) return [0, 0];
    if (t >= this.times[high]) return [high, 0];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.times[middle] <= t) low = middle;
      else high = middle;
    }
    const span = this.times[high] - this.times[low];
    return [low, span > 0 ? (t - this.times[low]) / span : 0];
  }

  /** The value of a channel at a time, linear between frames. */
  value(channel: Channel, t: number): number {
    const [frame, share] = this.locate(t);
    const column = this.column(channel);
    if (share === 0) return column[frame];
    return column[frame] * (1 - share) + column[frame + 1] * share;
  }

  /** Times and values to be drawn: frames, and extremes between them. */
  series(channel: Channel): [number[], (number | null)[]] {
    const column = this.column(channel);
    const known = (x: number) => (Number.isFinite(x) ? x : null);
    let extra = this.extremes[channel.index];
    if (typeof extra === "string") {
      extra = new Float64Array(bytes(extra));
      this.extremes[channel.index] = extra;
    }
    const times: number[] = [];
    const values: (number | null)[] = [];
    let next = 0;
    for (let i = 0; i < this.frames; i++) {
      while (extra && next < extra.length && extra[next] < this.times[i]) {
        times.push(extra[next]);
        values.push(known(extra[next + 1]));
        next += 2;
      }
      times.push(this.times[i]);
      values.push(known(column[i]));
    }
    return [times, values];
  }

  /** Channels whose names have all words. */
  search(query: string, most: number): { found: Channel[]; more: number } {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const found: Channel[] = [];
    let more = 0;
    for (const channel of this.channels) {
      const name = channel.name.toLowerCase();
      if (!words.every((w) => name.includes(w))) continue;
      if (found.length < most) found.push(channel);
      else more++;
    }
    return { found, more };
  }
}
