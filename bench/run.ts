import { measureBeside } from './beside.ts';
import { datasetOf } from './dataset.ts';
import { options } from './options.ts';
import { measurePayouts } from './payouts.ts';
import { measureReads } from './reads.ts';
import { killAll } from './service.ts';
import { measureWebhooks } from './webhooks.ts';
import { measureWrites } from './writes.ts';

/**
 * How close the service comes to a bare node:http server that answers the same bytes, and to the bare
 * driver that runs the same statements. Both are measured in the same run, in turns, and the medians
 * are compared: the ratio is what counts.
 */
try {
  const datasets = [];
  for (const size of options.sizes) datasets.push(await datasetOf(size));
  console.log(
    `\n${options.connections} connections, ${options.rounds} rounds of ${options.ms / 1000} s each, ` +
      'in turns; medians. floor: a bare node:http server answering the same bytes',
  );
  await measureReads(datasets);
  await measureWrites(datasets[0]!);
  await measurePayouts(datasets[0]!);
  await measureWebhooks();
  await measureBeside(datasets.at(-1)!);
} finally {
  killAll();
}
