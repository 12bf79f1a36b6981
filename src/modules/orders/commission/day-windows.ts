import type { DayRange } from '../../rewards/index.ts';

/** A range of days with what was added up in it. */
interface Window<S> extends DayRange {
  sum: S;
}

/** Sums of ranges of days, by subject. What happens on a day is added to all ranges that it is in. */
export class DayWindows<S> {
  readonly #bySubject = new Map<string, Window<S>[]>();

  /** Begins with a sum unless the range is known. Returns whether it was not. */
  begin(subject: string, { first, last }: DayRange, sum: S): boolean {
    if (this.#find(subject, first, last)) return false;
    const windows = this.#bySubject.get(subject);
    if (windows) windows.push({ first, last, sum });
    else this.#bySubject.set(subject, [{ first, last, sum }]);
    return true;
  }

  set(subject: string, { first, last }: DayRange, sum: S): void {
    this.#find(subject, first, last)!.sum = sum;
  }

  get(subject: string, { first, last }: DayRange): S | undefined {
    return this.#find(subject, first, last)?.sum;
  }

  add(subject: string, day: string, added: (sum: S) => S): void {
    for (const window of this.#bySubject.get(subject) ?? []) {
      if (day >= window.first && day <= window.last) window.sum = added(window.sum);
    }
  }

  #find(subject: string, first: string, last: string): Window<S> | undefined {
    return this.#bySubject.get(subject)?.find((one) => one.first === first && one.last === last);
  }
}
