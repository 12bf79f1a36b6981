import { didYouMean } from '../../shared/nearest.ts';

const SUGGESTIONS_MAX = 5;
const NAME_LENGTH_MAX = 100;
/** So many faults are named, and reading stops there. */
export const FAULTS_MAX = 50;

/** What is wrong with an input: the names of missing parameters, and the others with the reason. */
export class Faults {
  readonly missing: string[] = [];
  #invalid: Record<string, string> | undefined;
  #count = 0;
  #unknown = 0;

  /** By name, with the reason. Without a prototype: a field may be called `__proto__`. */
  get invalid(): Record<string, string> {
    return (this.#invalid ??= Object.create(null) as Record<string, string>);
  }

  get isEmpty(): boolean {
    if (this.missing.length > 0) return false;
    for (const _ in this.#invalid) return false;
    return true;
  }

  /** Whether reading may stop: more faults are not named. */
  get isFull(): boolean {
    return this.#count >= FAULTS_MAX;
  }

  /** How many were added while reading. */
  get count(): number {
    return this.#count;
  }

  add(place: string, reason: string): void {
    if (this.isFull) return;
    this.invalid[shortened(place)] = reason;
    this.#count += 1;
  }

  /** To look for similar names takes time: it is done for the first few. */
  addUnknown(place: string, name: string, known: readonly string[]): void {
    this.#unknown += 1;
    const hint = this.#unknown <= SUGGESTIONS_MAX ? didYouMean(name, known) : '';
    this.add(place, `Unknown field.${hint}`);
  }
}

function shortened(name: string): string {
  return name.length > NAME_LENGTH_MAX ? `${name.slice(0, NAME_LENGTH_MAX)}…` : name;
}
