import Type from 'typebox';
import { collection, pageHeaders } from '../../../src/kernel/cache/collection.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id, pageParameters, StringEnum } from '../../../src/kernel/declare/schemas.ts';
import { languageOf } from '../../../src/modules/web/index.ts';
import { caseSorts, countCases, listCaseRows } from '../cases/case-list-rows.ts';
import { finderNames } from '../rules/rules.ts';
import { CaseSchema, toCases } from './case-wire.ts';

export const listCases = operation({
  method: 'GET',
  namespace: 'store',
  path: '/cases',
  summary: 'List cases of the review',
  description: 'Newest first, unless `sort` says otherwise.',
  access: 'admin',
  scope: 'read',
  query: Type.Object({
    state: Type.Optional(
      StringEnum(['open', 'decided'], { description: 'Open cases, or decided ones.' }),
    ),
    rule: Type.Optional(StringEnum(finderNames, { description: 'Cases that this rule opened.' })),
    affiliate_id: Type.Optional(Id('Cases about this affiliate.')),
    order_id: Type.Optional(
      Id('Cases about this order, and those on whose decision its commission depends.'),
    ),
    sort: Type.Optional(
      StringEnum(caseSorts, {
        description:
          '`newest`, `oldest`, `held`: those that hold most first, or `answered`: those with an answer of the affiliate first.',
        default: 'newest',
      }),
    ),
    ...pageParameters,
  }),
  response: Type.Array(CaseSchema),
  headers: pageHeaders,
  async handle(
    { db, site, request },
    { state, rule, affiliate_id, order_id, sort = 'newest', ...page },
  ) {
    const filter = { state, rule, user_id: affiliate_id, order_id };
    return collection(page, await countCases(db, filter), async (slice) => {
      const rows = await listCaseRows(db, filter, sort, slice);
      return toCases(db, site, rows, languageOf(site, request));
    });
  },
});
