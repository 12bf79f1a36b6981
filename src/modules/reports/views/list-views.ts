import Type from 'typebox';
import { actorId } from '../../../kernel/declare/caller.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { listViewRows } from './view-rows.ts';
import { toView, ViewSchema, VIEWS_MAX } from './view-wire.ts';

export const listViews = operation({
  method: 'GET',
  namespace: 'store',
  path: '/report-views',
  summary: 'List your saved views of the reports',
  description: `By name. There are at most ${VIEWS_MAX}.`,
  access: 'admin',
  scope: 'read',
  response: Type.Object(
    { views: Type.Array(ViewSchema) },
    {
      $id: 'ReportViews',
      examples: [
        { views: [{ id: 3, name: 'Coupons of the quarter', query: 'by=coupon&days=90' }] },
      ],
    },
  ),
  async handle({ db, caller }) {
    const rows = await listViewRows(db, { user_id: actorId(caller) });
    return { views: rows.map(toView) };
  },
});
