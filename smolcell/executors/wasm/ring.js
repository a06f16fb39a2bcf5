// A pipe of bytes between two threads over shared memory: one writes, one reads.
//
// The rules this file exists to keep:
//
// * Whoever is told of `head` and `tail` by the other side takes them as numbers that may be lies: no more is read or
//   written than the ring holds.
// * The thread that runs code blocks (`Atomics.wait`); the thread that serves never does (`Atomics.waitAsync`).

const HEAD = 0, TAIL = 1; // bytes read and written so far, modulo 2^32
const CONTROL = 16; // bytes before the data

export class Ring {
  /** @param {SharedArrayBuffer} buffer of 16 bytes and a power of two */
  constructor(buffer) {
    this.buffer = buffer;
    this.control = new Int32Array(buffer, 0, CONTROL / 4);
    this.data = new Uint8Array(buffer, CONTROL);
  }

  static make(size) {
    return new Ring(new SharedArrayBuffer(CONTROL + size));
  }

  get filled() {
    const size = (Atomics.load(this.control, TAIL) - Atomics.load(this.control, HEAD)) >>> 0;
    return Math.min(size, this.data.length);
  }

  /** Write what there is room for; returns how many bytes. */
  put(bytes) {
    const tail = Atomics.load(this.control, TAIL);
    const count = Math.min(bytes.length, this.data.length - this.filled);
    const at = tail & (this.data.length - 1);
    const first = Math.min(count, this.data.length - at);
    this.data.set(bytes.subarray(0, first), at);
    this.data.set(bytes.subarray(first, count), 0);
    Atomics.store(this.control, TAIL, (tail + count) | 0);
    Atomics.notify(this.control, TAIL);
    return count;
  }

  /** A copy of the next bytes, at most so many, which stay. */
  peek(most) {
    const count = Math.min(most, this.filled);
    const at = Atomics.load(this.control, HEAD) & (this.data.length - 1);
    const first = Math.min(count, this.data.length - at);
    const bytes = new Uint8Array(count);
    bytes.set(this.data.subarray(at, at + first), 0);
    bytes.set(this.data.subarray(0, count - first), first);
    return bytes;
  }

  /** The next bytes, at most so many. */
  take(most) {
    const bytes = this.peek(most);
    Atomics.store(this.control, HEAD, (Atomics.load(this.control, HEAD) + bytes.length) | 0);
    Atomics.notify(this.control, HEAD);
    return bytes;
  }

  /** Write all of it; blocks. */
  writeSync(bytes) {
    while (bytes.length) {
      const head = Atomics.load(this.control, HEAD);
      const count = this.put(bytes);
      bytes = bytes.subarray(count);
      if (!count) Atomics.wait(this.control, HEAD, head, 1000);
    }
  }

  /** Wait until so many bytes are there, for some milliseconds; whether they are. Blocks. */
  waitSync(count, milliseconds) {
    const end = performance.now() + milliseconds;
    while (this.filled < count) {
      const left = end - performance.now();
      if (left <= 0) return false;
      const tail = Atomics.load(this.control, TAIL);
      if (this.filled < count) Atomics.wait(this.control, TAIL, tail, left);
    }
    return true;
  }

  /** Write all of it. */
  async write(bytes) {
    while (bytes.length) {
      const head = Atomics.load(this.control, HEAD);
      const count = this.put(bytes);
      bytes = bytes.subarray(count);
      if (!count) await Atomics.waitAsync(this.control, HEAD, head).value;
    }
  }

  /** Some bytes, as soon as there are any. */
  async read() {
    while (!this.filled) {
      const tail = Atomics.load(this.control, TAIL);
      if (!this.filled) await Atomics.waitAsync(this.control, TAIL, tail).value;
    }
    return this.take(this.data.length);
  }
}
