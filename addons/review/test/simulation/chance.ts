import { SeededRandom } from '../../../../src/shared/seeded.ts';

/** Distributions of what shops see: counts, heavy tails, noise. */
export class Chance extends SeededRandom {
  normal(mean: number, deviation: number): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.fraction()));
    return mean + deviation * radius * Math.cos(2 * Math.PI * this.fraction());
  }

  /** Around a median, with a heavy tail. */
  lognormal(median: number, deviation: number): number {
    return median * Math.exp(this.normal(0, deviation));
  }

  within(min: number, max: number): number {
    return min + this.fraction() * (max - min);
  }

  poisson(mean: number): number {
    if (mean > 50) return Math.max(0, Math.round(this.normal(mean, Math.sqrt(mean))));
    const limit = Math.exp(-mean);
    let product = this.fraction();
    let count = 0;
    while (product > limit) {
      product *= this.fraction();
      count += 1;
    }
    return count;
  }
}
