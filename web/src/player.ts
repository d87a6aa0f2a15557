// The time that is shown. Everything that depends on it listens.

type Listener = (t: number) => void;

export class Player {
  readonly start: number;
  readonly end: number;
  /** Simulated seconds in a second. */
  speed: number;
  playing = false;
  private now: number;
  private readonly listeners: Listener[] = [];
  private readonly changes: (() => void)[] = [];

  constructor(start: number, end: number) {
    this.start = start;
    this.end = end;
    this.now = start;
    const length = end - start;
    // real time where that can be watched, otherwise ten seconds for the whole
    this.speed = length >= 1.5 && length <= 30 ? 1 : length > 0 ? length / 10 : 1;
  }

  get time(): number {
    return this.now;
  }

  get length(): number {
    return this.end - this.start;
  }

  set(t: number): void {
    this.now = Math.min(Math.max(t, this.start), this.end);
    for (const listen of this.listeners) listen(this.now);
  }

  play(on: boolean): void {
    if (on && this.now >= this.end) this.set(this.start);
    this.playing = on && this.length > 0;
    for (const changed of this.changes) changed();
  }

  /** Goes on by this many seconds of the clock; at the end it begins again. */
  advance(seconds: number): void {
    if (!this.playing) return;
    let t = this.now + seconds * this.speed;
    if (t > this.end) t = this.now < this.end ? this.end : this.start;
    this.set(t);
  }

  onTime(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** Listens to the time for words and numbers: while it plays, some ten times a second are enough. */
  onGlance(listener: Listener): void {
    let last = 0;
    this.onTime((t) => {
      const now = performance.now();
      if (this.playing && now - last < 90) return;
      last = now;
      listener(t);
    });
    this.onChange(() => listener(this.now));
  }

  onChange(listener: () => void): void {
    this.changes.push(listener);
  }
}
