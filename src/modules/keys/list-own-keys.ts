import Type from 'typebox';
import { listed, pageHeaders } from '../../kernel/cache/collection.ts';
import { actorId } from '../../kernel/declare/caller.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { pageParameters, StringEnum } from '../../kernel/declare/schemas.ts';
import { keyList, statusFilter } from './key-rows.ts';
import { KeySchema, keyStatuses, toKey } from './key-wire.ts';

export const listOwnKeys = operation({
  method: 'GET',
  namespace: 'store',
  path: '/account/keys',
  summary: 'List your own API keys',
  description: 'Newest first.',
  access: 'user',
  scope: 'read',
  query: Type.Object({
    status: Type.Optional(StringEnum(keyStatuses, { description: 'Keys of this status only.' })),
    ...pageParameters,
  }),
  response: Type.Array(KeySchema),
  headers: pageHeaders,
  handle({ db, site, caller, nowMs }, input) {
    const filter = { user_id: actorId(caller), ...statusFilter(input.status, nowMs) };
    return listed(db, keyList, filter, input, (row) => toKey(row, site, nowMs));
  },
});
