import Type from 'typebox';
import { listed, pageHeaders } from '../../kernel/cache/collection.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { pageParameters } from '../../kernel/declare/schemas.ts';
import { exampleOf } from '../../kernel/present/openapi/examples.ts';
import { groupList } from './group-rows.ts';
import { GroupSchema, toGroup } from './group-wire.ts';

const ListedGroupSchema = Type.Object(
  {
    ...GroupSchema.properties,
    members: Type.Integer({ description: 'How many affiliates are in the group.' }),
  },
  { $id: 'ListedGroup', examples: [{ ...(exampleOf(GroupSchema) as object), members: 12 }] },
);

export const listGroups = operation({
  method: 'GET',
  namespace: 'store',
  path: '/groups',
  summary: 'List groups',
  description: 'By id: where several groups of an affiliate set a rate, the first one counts.',
  access: 'admin',
  scope: 'write',
  query: Type.Object(pageParameters),
  response: Type.Array(ListedGroupSchema),
  headers: pageHeaders,
  handle: ({ db, site }, input) =>
    listed(db, groupList, {}, input, (row) => ({ ...toGroup(row, site), members: row.members })),
});
