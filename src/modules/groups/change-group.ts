import Type from 'typebox';
import { totalsOf } from '../../kernel/cache/total-cache.ts';
import { ApiError, generalErrors, requireFound } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import { groupExists } from './create-group.ts';
import { checkDiscount, discountFields, toDiscountColumn } from './discount.ts';
import { findGroup, findGroupByName, updateGroup } from './group-rows.ts';
import { GroupName, GroupSchema, toGroup } from './group-wire.ts';
import { checkRates, rateFields, toRateColumns } from './rates.ts';

export const changeGroup = operation({
  method: 'PATCH',
  namespace: 'store',
  path: '/groups/{id}',
  summary: 'Change a group',
  description:
    'New rates apply to new orders only, a discount to codes that are created from now on.',
  access: 'admin',
  scope: 'write',
  proof: true,
  params: Type.Object({ id: Id('The group.') }),
  body: Type.Object(
    { name: Type.Optional(GroupName), ...rateFields, ...discountFields },
    { $id: 'ChangeGroup' },
  ),
  example: { body: { percent_override: 15 }, response: { percent_override: 15 } },
  response: GroupSchema,
  errors: [generalErrors.notFound, groupExists],
  check(input, errors, site) {
    checkRates(input, errors, site);
    checkDiscount(input, errors, site);
  },
  async handle({ db, site }, { id, ...input }) {
    await db.lock(`group ${id}`);
    const group = requireFound(await findGroup(db, { id }));
    const rates = toRateColumns(input, site.currency);
    const name = input.name ?? group.name;
    const namesake = await findGroupByName(db, name);
    if (namesake && namesake.id !== id) throw new ApiError(groupExists);
    // Cached totals of affiliates may be filtered by the name of this group.
    db.afterCommitEverywhere(() => totalsOf(site).forget());
    return toGroup(
      await updateGroup(db, { ...group, ...rates, ...toDiscountColumn(input), name }),
      site,
    );
  },
});
