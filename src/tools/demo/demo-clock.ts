import type { Happening } from '../../kernel/declare/demo.ts';
import { DAY_MS } from '../../shared/durations.ts';

/** Shows moments of the past while the demo is filled, and the current time afterwards. */
export class DemoClock {
  /** Whole seconds, like the dates of orders, so that every demo is the same. */
  readonly todayMs = Math.floor(Date.now() / 1000) * 1000;
  #standsAtMs: number | undefined = this.todayMs;

  readonly read = (): number => this.#standsAtMs ?? Date.now();

  moveTo(daysAgo: number): void {
    this.#standsAtMs = this.todayMs - Math.round(daysAgo * DAY_MS);
  }

  run(): void {
    this.#standsAtMs = undefined;
  }

  /** Runs the happenings from the oldest to the newest; equal moments in the given order. */
  async passThrough(happenings: readonly Happening[]): Promise<void> {
    for (const one of happenings.toSorted((a, b) => b.daysAgo - a.daysAgo)) {
      this.moveTo(one.daysAgo);
      await one.happen();
    }
  }
}
