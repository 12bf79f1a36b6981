import Type from 'typebox';
import { listed, pageHeaders } from '../../kernel/cache/collection.ts';
import { totalsOf } from '../../kernel/cache/total-cache.ts';
import { ApiError, defineError, generalErrors, requireFound } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id, pageParameters } from '../../kernel/declare/schemas.ts';
import { checkDiscount, discountFields, toDiscountColumn } from './discount.ts';
import { findGroup, findGroupByName, groupList, insertGroup, updateGroup } from './group-rows.ts';
import { GroupName, GroupSchema, toGroup } from './group-wire.ts';
import { checkRates, rateFields, toRateColumns } from './rates.ts';

export const listGroups = operation({
  method: 'GET',
  namespace: 'store',
  path: '/groups',
  summary: 'List groups',
  description: 'By id: where several groups of an affiliate set a rate, the first one counts.',
  access: 'admin',
  scope: 'write',
  query: Type.Object(pageParameters),
  response: Type.Array(GroupSchema),
  headers: pageHeaders,
  handle: ({ db, site }, input) => listed(db, groupList, {}, input, (row) => toGroup(row, site)),
});

export const groupExists = defineError(
  'svc_api_group_exists',
  409,
  'A group with this name already exists.',
);

export const createGroup = operation({
  method: 'POST',
  namespace: 'store',
  path: '/groups',
  summary: 'Create a group',
  access: 'admin',
  scope: 'write',
  proof: true,
  body: Type.Object({ name: GroupName, ...rateFields, ...discountFields }, { $id: 'CreateGroup' }),
  example: { body: { name: 'Gold', percent_override: 12.5 } },
  status: 201,
  response: GroupSchema,
  errors: [groupExists],
  check(input, errors, site) {
    checkRates(input, errors, site);
    checkDiscount(input, errors, site);
  },
  async handle({ db, site, nowMs }, input) {
    const rates = toRateColumns(input, site.currency);
    if (await findGroupByName(db, input.name)) throw new ApiError(groupExists);
    const row = await insertGroup(db, {
      name: input.name,
      percent: null,
      fixed_per_order: null,
      fixed_per_product: null,
      discount: null,
      ...rates,
      ...toDiscountColumn(input),
      created_at: nowMs,
    });
    return toGroup(row, site);
  },
});

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
