import Type from 'typebox';
import { ApiError, generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id, pageParameters } from '../../../src/kernel/declare/schemas.ts';
import { exampleOf } from '../../../src/kernel/present/openapi/examples.ts';
import { languageOf } from '../../../src/modules/web/index.ts';
import { sliceOf } from '../../../src/shared/pagination.ts';
import { findCase, listHistory } from '../cases/case-rows.ts';
import { countHolds, pageOfHolds } from '../hold/restraint-rows.ts';
import { CaseSchema, historySchema, toCaseWithHistory } from './case-wire.ts';

export const getCase = operation({
  method: 'GET',
  namespace: 'store',
  path: '/cases/{id}',
  summary: 'A case with its history',
  access: 'admin',
  scope: 'read',
  params: Type.Object({ id: Id('The case.') }),
  query: Type.Object(pageParameters),
  response: Type.Object(
    {
      ...CaseSchema.properties,
      orders: Type.Array(Type.Object({ order_id: Type.Integer(), coupon_id: Type.Integer() }), {
        description:
          'A page of the orders whose commission depends on the decision, by their numbers: `page` and `per_page`.',
      }),
      orders_count: Type.Integer({ description: 'How many there are.' }),
      history: historySchema,
    },
    {
      $id: 'CaseDetail',
      examples: [
        {
          ...(exampleOf(CaseSchema) as object),
          orders: [{ order_id: 1042, coupon_id: 12 }],
          orders_count: 1,
          history: [
            {
              date: '2026-01-20T14:05:09',
              action: 'opened',
              user_id: 0,
              name: null,
              note: 'same_people',
            },
          ],
        },
      ],
    },
  ),
  errors: [generalErrors.notFound],
  async handle({ db, site, request }, { id, ...page }) {
    const [row, history, holds, orders_count] = await Promise.all([
      findCase(db, { id }),
      listHistory(db, { case_id: id }),
      pageOfHolds(db, { case_id: id }, sliceOf(page)),
      countHolds(db, { case_id: id }),
    ]);
    if (!row) throw new ApiError(generalErrors.notFound);
    return {
      ...(await toCaseWithHistory(db, site, row, history, languageOf(site, request))),
      orders: holds.map(({ order_id, coupon_id }) => ({ order_id, coupon_id })),
      orders_count,
    };
  },
});
