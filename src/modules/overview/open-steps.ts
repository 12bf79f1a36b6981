import Type from 'typebox';
import type { Reader } from '../../db/database.ts';
import { firstSteps } from '../../kernel/declare/overview.ts';
import { defineManagerSetting, type SettingDefinition } from '../../kernel/declare/setting.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { countOrdersUpTo } from '../orders/index.ts';

const StepNames = Type.Array(Type.String({ minLength: 1, maxLength: 40 }), {
  maxItems: 50,
  uniqueItems: true,
});

export const confirmedSteps: SettingDefinition<typeof StepNames> = {
  ...defineManagerSetting(
    'console.confirmed_steps',
    StepNames,
    [],
    'Steps of the checklist on the overview that the team has confirmed or skipped.',
  ),
  isHidden: true,
};

/** A store with this many orders is past its first hour, whatever it has confirmed. */
const ORDERS_OF_A_RUNNING_STORE = 10;

/** The checklist of a new store; empty once all its steps are done. */
export async function openSteps(db: Reader, site: Site) {
  const steps = site.registry.contributions(firstSteps);
  const confirmed = site.settings.get(confirmedSteps);
  const open = steps.filter(({ name }) => !confirmed.includes(name));
  if (open.length === 0) return [];
  const orders = await countOrdersUpTo(db, ORDERS_OF_A_RUNNING_STORE);
  if (orders === ORDERS_OF_A_RUNNING_STORE) return [];
  const done = await Promise.all(
    open.map(async (step) => (await step.isDone?.(db, site)) ?? false),
  );
  if (done.every(Boolean)) return [];
  const doneNames = new Set(open.filter((_, i) => done[i]).map(({ name }) => name));
  return steps.map(({ name, title }) => ({
    name,
    title,
    done: confirmed.includes(name) || doneNames.has(name),
  }));
}
