import Type from 'typebox';
import { actorId } from '../../../kernel/declare/caller.ts';
import { ApiError, defineError, generalErrors } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { insertView, listViewRows, replaceView } from './view-rows.ts';
import { toView, viewFields, ViewSchema, VIEWS_MAX } from './view-wire.ts';

export const tooManyViews = defineError(
  'svc_api_too_many_views',
  409,
  `You have ${VIEWS_MAX} saved views. Delete one first.`,
);

export const saveView = operation({
  method: 'POST',
  namespace: 'store',
  path: '/report-views',
  summary: 'Save a view of the reports under a name',
  description: `Only you see it. A view of the same name is replaced. You can have ${VIEWS_MAX}.`,
  access: 'admin',
  scope: 'write',
  body: Type.Object(viewFields, { $id: 'SaveReportView' }),
  example: {
    body: { name: 'Coupons of the quarter', query: 'by=coupon&days=90' },
    response: { id: 3, name: 'Coupons of the quarter', query: 'by=coupon&days=90' },
  },
  status: 201,
  response: ViewSchema,
  errors: [tooManyViews],
  async handle({ db, caller }, { name, query }) {
    if (!caller.person) throw new ApiError(generalErrors.unauthorized);
    const view = { user_id: actorId(caller), name: name.trim(), query };
    // Of two concurrent requests, the second counts the view of the first.
    await db.lock(`report views of ${view.user_id}`);
    const replaced = await replaceView(db, view);
    if (replaced) return toView(replaced);
    const { length } = await listViewRows(db, { user_id: view.user_id });
    if (length >= VIEWS_MAX) throw new ApiError(tooManyViews);
    return toView(await insertView(db, view));
  },
});
