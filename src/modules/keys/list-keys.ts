import Type from 'typebox';
import { listed, pageHeaders } from '../../kernel/cache/collection.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id, pageParameters, StringEnum } from '../../kernel/declare/schemas.ts';
import { keysVisibleTo } from '../events/index.ts';
import { keyList, statusFilter } from './key-rows.ts';
import { KeySchema, keyStatuses, toKey } from './key-wire.ts';

export const listKeys = operation({
  method: 'GET',
  namespace: 'v2',
  path: '/keys',
  summary: 'List API keys',
  description: 'Newest first. Managers do not see the keys of administrators.',
  access: 'admin',
  scope: 'manage',
  query: Type.Object({
    user_id: Type.Optional(Id('Keys of this user only.')),
    status: Type.Optional(StringEnum(keyStatuses, { description: 'Keys of this status only.' })),
    ...pageParameters,
  }),
  response: Type.Array(KeySchema),
  headers: pageHeaders,
  async handle({ db, site, caller, nowMs }, input) {
    const filter = {
      user_id: input.user_id,
      ...statusFilter(input.status, nowMs),
      ...keysVisibleTo(caller),
    };
    return listed(db, keyList, filter, input, (row) => toKey(row, site, nowMs));
  },
});
