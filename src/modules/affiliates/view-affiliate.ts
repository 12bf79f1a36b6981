import Type from 'typebox';
import { actorId } from '../../kernel/declare/caller.ts';
import { generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import { emit } from '../events/index.ts';
import { affiliateViewed } from './affiliate-events.ts';
import { requireAffiliate } from './affiliate.ts';

export const viewAffiliate = operation({
  method: 'POST',
  namespace: 'store',
  path: '/affiliates/{id}/views',
  summary: 'Record that you look at the portal of an affiliate',
  description:
    'The address shows the portal as the affiliate sees it. Nothing can be changed there: calls of that page carry the ' +
    'header `X-Svc-View-As`, with which every change is refused.',
  access: 'admin',
  scope: 'write',
  params: Type.Object({ id: Id('The affiliate.') }),
  status: 201,
  response: Type.Object(
    { url: Type.String({ description: 'The address of the portal, within the site.' }) },
    { $id: 'AffiliateView', examples: [{ url: '/app?as=7' }] },
  ),
  errors: [generalErrors.notFound],
  async handle({ db, caller, nowMs }, { id }) {
    await requireAffiliate(db, id);
    emit(db, affiliateViewed, {
      objectId: id,
      userId: actorId(caller),
      info: `User ${actorId(caller)} looked at the portal of affiliate ${id}.`,
      data: { user_id: id, viewer_id: actorId(caller) },
      nowMs,
    });
    return { url: `/app?as=${id}` };
  },
});
