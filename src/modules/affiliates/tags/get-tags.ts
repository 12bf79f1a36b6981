import Type from 'typebox';
import { generalErrors } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { Id } from '../../../kernel/declare/schemas.ts';
import { requireAffiliate } from '../affiliate.ts';
import { findTagsOf } from './tag-rows.ts';
import { TagsSchema } from './tag-wire.ts';

export const getTags = operation({
  method: 'GET',
  namespace: 'store',
  path: '/affiliates/{id}/tags',
  summary: 'Get the tags of an affiliate',
  access: 'admin',
  scope: 'read',
  params: Type.Object({ id: Id('The affiliate.') }),
  response: TagsSchema,
  errors: [generalErrors.notFound],
  async handle({ db }, { id }) {
    await requireAffiliate(db, id);
    return { tags: (await findTagsOf(db, [id])).map(({ name }) => name) };
  },
});
