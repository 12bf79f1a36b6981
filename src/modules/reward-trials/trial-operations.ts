import Type from 'typebox';
import { ApiError, defineError, generalErrors, requireFound } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Day, Id } from '../../kernel/declare/schemas.ts';
import type { SettingDefinition } from '../../kernel/declare/setting.ts';
import { triedSettings, type DryRunPlan, effectOnRunning } from '../orders/index.ts';
import { checkTriedRules, monthsAfter, TriedRules, triedRules } from '../rewards/index.ts';
import { isDead } from './run-trials.ts';
import { endTrial, findRunning, insertTrial, findTrial } from './trial-rows.ts';
import { StateOfTrial, toTrial, TrialSchema } from './trial-wire.ts';

const MONTHS_MAX = 24;

export const trialRunning = defineError(
  'svc_api_trial_running',
  409,
  'Another dry run is in progress. Wait for its end, or cancel it.',
);

const settings = Type.Object(
  Object.fromEntries(
    triedSettings.map((setting: SettingDefinition) => [setting.key, Type.Optional(setting.schema)]),
  ),
  {
    $id: 'TriedSettings',
    additionalProperties: false,
    description: 'Settings with other values than now. Other settings stay as they are.',
  },
);

export const startTrial = operation({
  method: 'POST',
  namespace: 'store',
  path: '/rewards/dry-run',
  summary: 'Try changed rewards on the orders of a period',
  description:
    'Computes in the background what all orders of the period would earn if they came in now, with these rules and ' +
    'settings. It changes nothing; the result is kept for a day. Orders are as they are today, with their refunds, ' +
    'and stay with their affiliates.',
  access: 'plugin-admin',
  scope: 'manage',
  status: 202,
  body: Type.Object(
    {
      rules: Type.Optional(TriedRules),
      settings: Type.Optional(settings),
      from: Day('The first day, at most 24 months ago.'),
      to: Day('The last day, included.'),
    },
    { $id: 'StartRewardTrial' },
  ),
  example: {
    body: { rules: [{ rate: { percent: 15 } }], from: '2026-01-01', to: '2026-03-31' },
  },
  response: Type.Object(
    { id: Id('The dry run.'), state: StateOfTrial },
    { $id: 'StartedRewardTrial', examples: [{ id: 3, state: 'running' }] },
  ),
  errors: [trialRunning],
  check(input, errors, site) {
    const { rules, settings: values = {}, from, to } = input;
    checkTriedRules(rules, errors, site);
    for (const setting of triedSettings as readonly SettingDefinition[]) {
      const value = values[setting.key];
      const reason = value === undefined ? undefined : setting.check?.(value, site);
      if (reason !== undefined) errors.add(`settings.${setting.key}`, reason);
    }
    if (from === undefined || to === undefined) return;
    const today = site.calendar.dayOf(site.clock());
    if (to > today) errors.add('to', 'must not be in the future');
    if (from > to) errors.add('from', 'must not be after to');
    if (from < monthsAfter(today, -MONTHS_MAX)) {
      errors.add('from', `must not be more than ${MONTHS_MAX} months ago`);
    }
  },
  async handle({ db, site, nowMs }, { rules, settings: values = {}, from, to }) {
    await db.lock('reward-trials');
    const running = await findRunning(db);
    if (running && !isDead(running, nowMs)) throw new ApiError(trialRunning);
    if (running) await endTrial(db, { id: running.id, state: 'failed', result: null });
    const plan: DryRunPlan = {
      from,
      to,
      settings: values,
      rules: rules && (await triedRules(db, site, rules)),
    };
    return insertTrial(db, {
      state: 'running',
      plan: JSON.stringify(plan),
      result: null,
      seen_at: nowMs,
      created_at: nowMs,
    });
  },
});

const ofTrial = Type.Object({ id: Id('The dry run.') });

export const getTrial = operation({
  method: 'GET',
  namespace: 'store',
  path: '/rewards/dry-run/{id}',
  summary: 'Get the result of a dry run of rewards',
  access: 'admin',
  scope: 'manage',
  params: ofTrial,
  response: TrialSchema,
  errors: [generalErrors.notFound],
  async handle({ db, site }, { id }) {
    const row = requireFound(await findTrial(db, { id }));
    return toTrial(db, site, row);
  },
});

export const cancelTrial = operation({
  method: 'DELETE',
  namespace: 'store',
  path: '/rewards/dry-run/{id}',
  summary: 'Cancel a dry run of rewards',
  description: 'One that has ended stays as it is.',
  access: 'plugin-admin',
  scope: 'manage',
  params: ofTrial,
  response: TrialSchema,
  example: {
    response: { state: 'cancelled', progress: 0.4, totals: null, affiliates: [], orders: [] },
  },
  errors: [generalErrors.notFound],
  async handle({ db, site }, { id }) {
    await endTrial(db, { id, state: 'cancelled', result: null });
    const row = requireFound(await findTrial(db, { id }));
    return toTrial(db, site, row);
  },
});

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
  long: true,
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
