/**
 * A map for caches. A new key in a full map first removes the oldest tenth, by order of insertion. Removing
 * one key at a time would be slow: V8 leaves a gap where the first key was and skips all gaps with every
 * removal (measured with 10,000 keys: 15.6 µs per new key, and 0.17 with a tenth at once).
 */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #max: number;

  constructor(max: number) {
    super();
    this.#max = max;
  }

  override set(key: K, value: V): this {
    if (this.size >= this.#max && !this.has(key)) this.#removeOldest();
    return super.set(key, value);
  }

  #removeOldest(): void {
    let left = Math.ceil(this.#max / 10);
    for (const key of this.keys()) {
      this.delete(key);
      if (--left === 0) return;
    }
  }
}
