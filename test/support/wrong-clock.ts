import { correctInstants } from '../../src/worker/correct-instants.ts';
import type { TestApp } from './harness.ts';

/** Sets the system clock, runs `work` and resets the clock; the service checks its clock each time. */
export async function whileWrong<T>(
  app: TestApp,
  jumpMs: number,
  work: () => Promise<T>,
): Promise<T> {
  const notice = () => correctInstants.run(app.site);
  await notice();
  app.setClock(jumpMs);
  await notice();
  const result = await work();
  app.setClock(-jumpMs);
  await notice();
  return result;
}
