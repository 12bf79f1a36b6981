import { isDeepStrictEqual } from 'node:util';
import Type from 'typebox';
import { generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { requireSeen, Version } from '../rewards/index.ts';
import { withChanges } from './bonus-input.ts';
import { answerBonuses, finishChange, openBonuses, requireBonus } from './bonus-list.ts';
import { updateBonus, type StoredBonus } from './bonus-rows.ts';
import { bonusFields, BonusSchema } from './bonus-schema.ts';
import { targetBegins } from './bonus-windows.ts';
import { checkBonus } from './check-bonus.ts';

export const changeBonus = operation({
  method: 'PATCH',
  namespace: 'store',
  path: '/rewards/bonuses/{id}',
  summary: 'Change a bonus',
  description:
    'Changes the fields that are sent; each is replaced as a whole. What was paid stays, and is taken back only by the ' +
    'target that was reached; nothing is paid again for the days of a payment. A changed target begins with its next ' +
    'window, or at once if it has none that ends. With `version`, a bonus that was changed after it is not changed again: 409.',
  access: 'plugin-admin',
  scope: 'manage',
  params: Type.Object({ id: Id('The bonus.') }),
  body: Type.Object({ ...bonusFields, version: Type.Optional(Version) }, { $id: 'ChangeBonus' }),
  example: { body: { pays: { amount: 50 } } },
  response: BonusSchema,
  errors: [generalErrors.notFound, generalErrors.conflict],
  check: checkBonus,
  async handle(context, { id, version: seen, ...changes }) {
    const { db, site, nowMs } = context;
    const list = await openBonuses(db, site);
    const before = requireBonus(list, id);
    const bonus = await withChanges(db, site, before.bonus, changes);
    // Also when a change is sent again because its first response was lost.
    if (isDeepStrictEqual(bonus, before.bonus)) {
      return (await answerBonuses(context, [before]))[0]!;
    }
    requireSeen(before, seen, 'bonuses');
    const changed = { bonus, since: sinceOf(site, before, bonus, nowMs), version: list.next };
    const { id: _, ...content } = bonus;
    const row = { id, content: JSON.stringify(content), updated_at: nowMs };
    await updateBonus(db, { ...row, since: changed.since, version: changed.version });
    await finishChange(db, site, list, { before: before.bonus, after: bonus }, context);
    return (await answerBonuses(context, [changed]))[0]!;
  },
});

/** Nothing is paid for windows that were over before the bonus had this target, or while it was inactive. */
function sinceOf(
  site: Site,
  before: StoredBonus,
  { active, target }: StoredBonus['bonus'],
  nowMs: number,
): number {
  if (!isDeepStrictEqual(target, before.bonus.target)) return targetBegins(site, target, nowMs);
  return before.bonus.active || !active ? before.since : Math.max(before.since, nowMs);
}
