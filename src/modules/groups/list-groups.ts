import Type from 'typebox';
import { listed, pageHeaders } from '../../kernel/cache/collection.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { pageParameters } from '../../kernel/declare/schemas.ts';
import { groupList } from './group-rows.ts';
import { GroupSchema, toGroup } from './group-wire.ts';

export const listGroups = operation({
  method: 'GET',
  namespace: 'store',
  path: '/groups',
  summary: 'List groups',
  description: 'By id: where several groups of an affiliate set a rate, the first one counts.',
  access: 'admin',
  scope: 'write',
  query: Type.Object(pageParameters),
  response: Type.Array(GroupSchema),
  headers: pageHeaders,
  handle: ({ db, site }, input) => listed(db, groupList, {}, input, (row) => toGroup(row, site)),
});
