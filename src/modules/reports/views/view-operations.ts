import Type from 'typebox';
import { actorId } from '../../../kernel/declare/caller.ts';
import { ApiError, defineError, generalErrors } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { Id } from '../../../kernel/declare/schemas.ts';
import { insertView, listViewRows, removeView, replaceView } from './view-rows.ts';
import { toView, viewFields, VIEWS_MAX, ViewSchema } from './view-wire.ts';

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

export const deleteView = operation({
  method: 'DELETE',
  namespace: 'store',
  path: '/report-views/{id}',
  summary: 'Delete one of your saved views of the reports',
  access: 'admin',
  scope: 'write',
  params: Type.Object({ id: Id('The view.') }),
  response: Type.Object({ deleted: Type.Literal(true) }),
  errors: [generalErrors.notFound],
  async handle({ db, caller }, { id }) {
    if (!(await removeView(db, { id, user_id: actorId(caller) }))) {
      throw new ApiError(generalErrors.notFound);
    }
    return { deleted: true as const };
  },
});
