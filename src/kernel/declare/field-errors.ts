import { didYouMean } from '../../shared/nearest.ts';

const SUGGESTIONS_MAX = 5;
const NAME_LENGTH_MAX = 100;
/** The reader stops after this many errors, to bound the work that a bad request can cause. */
export const ERRORS_MAX = 50;

/** The errors of an input: the names of missing parameters, and a reason for each invalid one. */
export class FieldErrors {
  readonly missing: string[] = [];
  #invalid: Record<string, string> | undefined;
  #count = 0;
  #unknown = 0;

  /** Reasons by parameter name. */
  get invalid(): Record<string, string> {
    // It has no prototype, because a field may be called `__proto__`. `Object.create` returns any.
    return (this.#invalid ??= Object.create(null) as Record<string, string>);
  }

  get isEmpty(): boolean {
    if (this.missing.length > 0) return false;
    for (const _ in this.#invalid) return false;
    return true;
  }

  /** Whether reading may stop, because further errors would not be reported. */
  get isFull(): boolean {
    return this.#count >= ERRORS_MAX;
  }

  /** How many invalid parameters were added so far. */
  get count(): number {
    return this.#count;
  }

  add(place: string, reason: string): void {
    if (this.isFull) return;
    this.invalid[shortened(place)] = reason;
    this.#count += 1;
  }

  /** The search for similar names is slow, so only the first few unknown fields get a suggestion. */
  addUnknown(place: string, name: string, known: readonly string[]): void {
    this.#unknown += 1;
    const hint = this.#unknown <= SUGGESTIONS_MAX ? didYouMean(name, known) : '';
    this.add(place, `Unknown field.${hint}`);
  }
}

function shortened(name: string): string {
  return name.length > NAME_LENGTH_MAX ? `${name.slice(0, NAME_LENGTH_MAX)}…` : name;
}
