import { parseArgs } from 'node:util';
import { defaultOptions } from '../../rules/rules.ts';
import { simulate, type KindResult } from './simulate.ts';

/** Prints what the rules of the review find in a simulated year, with their default options. */
const { values } = parseArgs({
  options: {
    // The thresholds were chosen with the seeds 1 to 3.
    seed: { type: 'string', default: '11' },
    affiliates: { type: 'string', default: '1000' },
    days: { type: 'string', default: '365' },
  },
});

const days = Number(values.days);
const { kinds, falseCases } = simulate({
  seed: Number(values.seed),
  affiliates: Number(values.affiliates),
  abusersOfEachKind: 100,
  days,
  options: defaultOptions,
});

console.log('| Abuse | Found | Within a day | Days until found: median, 9 of 10, most | By |');
console.log('| --- | ---: | ---: | --- | --- |');
for (const one of kinds) console.log(line(one));
console.log();
console.log('| Rule | False cases in 30 days |');
console.log('| --- | ---: |');
for (const [rule, count] of Object.entries(falseCases).toSorted()) {
  console.log(`| \`${rule}\` | ${((count / days) * 30).toFixed(1)} |`);
}

function line({ kind, count, daysUntilFound: found, rules }: KindResult): string {
  const at = (share: number) => found[Math.min(found.length - 1, Math.floor(found.length * share))];
  const times = found.length === 0 ? '–' : `${at(0.5)}, ${at(0.9)}, ${at(1)}`;
  const by = Object.entries(rules).map(([rule, n]) => `\`${rule}\` ${n}`);
  const soon = found.filter((day) => day <= 1).length;
  return `| ${kind} | ${found.length} of ${count} | ${soon} | ${times} | ${by.join(', ')} |`;
}
