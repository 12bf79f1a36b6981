// Writes what `scripts/test.ts` needs of a test process into TEST_REPORTS/<pid>.jsonl: failures with their path of
// names, the duration of each top-level test, the counts, and the processor time. The file is named by the process,
// because a forked process inherits the flags of its parent.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { processorSeconds } from './processor-seconds.js';

export default async function* report(events) {
  const write = (line) =>
    appendFileSync(
      join(process.env.TEST_REPORTS, `${process.pid}.jsonl`),
      `${JSON.stringify(line)}\n`,
    );
  process.once('exit', () => write({ processorSeconds: processorSeconds() }));
  const names = [];
  // The runner prints what a reporter yields.
  yield '';
  for await (const { type, data } of events) {
    if (type === 'test:start') names[data.nesting] = data.name;
    if (type === 'test:summary') write({ counts: data.counts });
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    if (data.nesting === 0) write({ name: data.name, ms: data.details.duration_ms });
    const { error } = data.details;
    if (type === 'test:pass' || data.todo !== undefined) continue;
    if (error.failureType === 'subtestsFailed') continue;
    const path = [...names.slice(0, data.nesting), data.name];
    write({ failed: path, at: `${data.file}:${data.line}`, error: inspect(error.cause ?? error) });
  }
}
