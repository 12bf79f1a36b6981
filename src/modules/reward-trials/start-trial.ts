import Type from 'typebox';
import { ApiError, defineError } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Day, Id } from '../../kernel/declare/schemas.ts';
import type { SettingDefinition } from '../../kernel/declare/setting.ts';
import { triedSettings, type DryRunPlan } from '../orders/index.ts';
import { checkTriedRules, monthsAfter, TriedRules, triedRules } from '../rewards/index.ts';
import { isDead } from './run-trials.ts';
import { endTrial, findRunning, insertTrial } from './trial-rows.ts';
import { StateOfTrial } from './trial-wire.ts';

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
