import Type from 'typebox';
import { collection, pageHeaders } from '../../../kernel/cache/collection.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { pageParameters } from '../../../kernel/declare/schemas.ts';
import { countTags, listTagRows } from './tag-rows.ts';

export const listTags = operation({
  method: 'GET',
  namespace: 'store',
  path: '/tags',
  summary: 'List the tags that affiliates have',
  description: 'By name.',
  access: 'admin',
  scope: 'read',
  query: Type.Object(pageParameters),
  response: Type.Array(
    Type.Object(
      {
        id: Type.Integer({ description: 'The id of the tag.' }),
        name: Type.String({ description: 'As it was first written.' }),
      },
      { $id: 'Tag', examples: [{ id: 1, name: 'vip' }] },
    ),
  ),
  headers: pageHeaders,
  async handle({ db }, input) {
    return collection(input, await countTags(db, {}), (slice) => listTagRows(db, {}, slice));
  },
});
