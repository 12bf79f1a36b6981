import Type from 'typebox';
import { collection, pageHeaders } from '../../kernel/cache/collection.ts';
import { mayEdit, roles } from '../../kernel/declare/caller.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { pageParameters, StringEnum } from '../../kernel/declare/schemas.ts';
import { keysVisibleTo } from '../events/index.ts';
import { keyList, listOwners, statusFilter } from './key-rows.ts';
import { keyExample, keyFields, keyStatuses, toKey } from './key-wire.ts';

const OwnedKeySchema = Type.Object(
  {
    ...keyFields,
    owner: Type.Object(
      {
        id: Type.Integer({ description: 'The id of the user.' }),
        login: Type.String(),
        display_name: Type.String({ description: 'The name as people read it.' }),
        role: StringEnum(roles),
      },
      { $id: 'KeyOwner', description: 'The user the key belongs to.' },
    ),
    may_revoke: Type.Boolean({ description: 'True if the caller may revoke it.' }),
  },
  {
    $id: 'OwnedApiKey',
    examples: [
      {
        ...keyExample,
        last_used: '2026-02-11T16:20:00',
        owner: { id: 1, login: 'anna', display_name: 'Anna Berg', role: 'administrator' },
        may_revoke: true,
      },
    ],
  },
);

export const listKeysWithOwners = operation({
  method: 'GET',
  namespace: 'store',
  path: '/api-keys',
  summary: 'List API keys with their owners',
  description: 'Newest first. Managers do not see the keys of administrators.',
  access: 'admin',
  scope: 'manage',
  query: Type.Object({
    status: Type.Optional(StringEnum(keyStatuses, { description: 'Keys of this status only.' })),
    ...pageParameters,
  }),
  response: Type.Array(OwnedKeySchema),
  headers: pageHeaders,
  async handle({ db, site, caller, nowMs }, input) {
    const filter = { ...statusFilter(input.status, nowMs), ...keysVisibleTo(caller) };
    return collection(input, await keyList.count(db, filter), async (slice) => {
      const rows = await keyList.page(db, filter, slice);
      const owners = await listOwners(db, [...new Set(rows.map(({ user_id }) => user_id))]);
      return rows.map((row) => {
        // A key references its user.
        const owner = owners.get(row.user_id)!;
        return { ...toKey(row, site, nowMs), owner, may_revoke: mayEdit(caller, owner) };
      });
    });
  },
});
