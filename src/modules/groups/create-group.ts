import Type from 'typebox';
import { ApiError, defineError } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { checkDiscount, discountFields, toDiscountColumn } from './discount.ts';
import { findGroupByName, insertGroup } from './group-rows.ts';
import { GroupName, GroupSchema, toGroup } from './group-wire.ts';
import { checkRates, rateFields, toRateColumns } from './rates.ts';

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
