import Type from 'typebox';
import { operation } from '../../kernel/declare/operation.ts';
import { effectOnRunning } from '../orders/index.ts';
import { checkTriedRules, TriedRules, triedRules } from '../rewards/index.ts';

/** A form shows it before a rule is saved that is also for running subscriptions. */
export const tryRunning = operation({
  method: 'POST',
  namespace: 'store',
  path: '/rewards/rules/running',
  summary: 'Compute what changed rules mean for running subscriptions',
  description:
    'Computes the next payment of each subscription that was paid in the last 400 days, as if it came in now and were ' +
    'like the last one, with the saved rules and with these. Only rules with `running` change what running ' +
    'subscriptions earn. It saves nothing.',
  access: 'plugin-admin',
  scope: 'manage',
  body: Type.Object({ rules: TriedRules }, { $id: 'TryRunningSubscriptions' }),
  example: { body: { rules: [{ rate: { percent: 15 }, running: true }] } },
  response: Type.Object(
    {
      subscriptions: Type.Integer({
        description: 'How many running subscriptions are credited to an affiliate.',
      }),
      changed: Type.Integer({ description: 'How many of them would earn something else.' }),
      before: Type.Number({ description: 'What their next payments earn with the saved rules.' }),
      after: Type.Number({ description: 'What they would earn.' }),
      complete: Type.Boolean({
        description: 'False if there are more subscriptions: then those that were paid last count.',
      }),
    },
    {
      $id: 'RunningSubscriptions',
      examples: [{ subscriptions: 120, changed: 40, before: 960, after: 1120, complete: true }],
    },
  ),
  errors: [],
  check(input, errors, site) {
    checkTriedRules(input.rules, errors, site);
  },
  // It only reads, and waits for no writer.
  transaction: false,
  async handle({ db, site }, { rules }) {
    const { before, after, isComplete, ...counts } = await effectOnRunning(
      site,
      await triedRules(db, site, rules),
    );
    const { currency } = site;
    return {
      ...counts,
      before: currency.toMajor(before),
      after: currency.toMajor(after),
      complete: isComplete,
    };
  },
});
