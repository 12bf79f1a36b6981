import type { Happening } from '../../kernel/declare/demo.ts';
import { DAY_MS } from '../generate/sample-orders.ts';

/** Stands at each moment of the past while a demo is filled, and then shows the time of today. */
export class DemoClock {
  /** Whole seconds, like the dates of orders: the same demo every time, whatever the moment. */
  readonly todayMs = Math.floor(Date.now() / 1000) * 1000;
  #standsAtMs: number | undefined = this.todayMs;

  readonly read = (): number => this.#standsAtMs ?? Date.now();

  moveTo(daysAgo: number): void {
    this.#standsAtMs = this.todayMs - Math.round(daysAgo * DAY_MS);
  }

  run(): void {
    this.#standsAtMs = undefined;
  }

  /** One after the other, the oldest first; those of the same moment in the order given. */
  async passThrough(happenings: readonly Happening[]): Promise<void> {
    for (const one of happenings.toSorted((a, b) => b.daysAgo - a.daysAgo)) {
      this.moveTo(one.daysAgo);
      await one.happen();
    }
  }
}
