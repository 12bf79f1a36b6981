import Type from 'typebox';
import { actorId } from '../../../kernel/declare/caller.ts';
import { generalErrors } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { Id } from '../../../kernel/declare/schemas.ts';
import { emit } from '../../events/index.ts';
import { affiliateUpdated } from '../affiliate-events.ts';
import { lockAffiliate } from '../affiliate-rows.ts';
import { requireAffiliate } from '../affiliate.ts';
import { findTagsOf, replaceTags } from './tag-rows.ts';
import { TagNames, TagsSchema } from './tag-wire.ts';

export const setTags = operation({
  method: 'PUT',
  namespace: 'store',
  path: '/affiliates/{id}/tags',
  summary: 'Set the tags of an affiliate',
  description:
    'Tags sort affiliates for the store. Unlike groups they have no rates, and affiliates do not see them.',
  access: 'admin',
  scope: 'write',
  params: Type.Object({ id: Id('The affiliate.') }),
  body: Type.Object({ tags: TagNames }, { $id: 'SetAffiliateTags' }),
  example: { body: { tags: ['travel', 'vip'] } },
  response: TagsSchema,
  errors: [generalErrors.notFound],
  async handle({ db, site, caller, nowMs }, { id, tags }) {
    await lockAffiliate(db, id);
    await requireAffiliate(db, id);
    if (await replaceTags(db, id, tags)) {
      db.afterCommitEverywhere(() => site.invalidateCaches());
      emit(db, affiliateUpdated, {
        objectId: id,
        userId: actorId(caller),
        info: `Affiliate ${id} changed: tags.`,
        data: { user_id: id, changed: ['tags'] },
        nowMs,
      });
    }
    return { tags: (await findTagsOf(db, [id])).map(({ name }) => name) };
  },
});
