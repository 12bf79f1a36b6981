import Type from 'typebox';
import { operation } from '../../../kernel/declare/operation.ts';
import { listPasskeyRows } from './passkey-rows.ts';
import { PasskeySchema, toPasskey } from './passkey-wire.ts';

export const listPasskeys = operation({
  method: 'GET',
  namespace: 'store',
  path: '/account/passkeys',
  summary: 'List your passkeys',
  access: 'user',
  scope: 'read',
  beforeSecondFactor: true,
  response: Type.Array(PasskeySchema),
  async handle({ db, site, caller }) {
    if (!caller.person) return [];
    const rows = await listPasskeyRows(db, { user_id: caller.person.id });
    return rows.map((row) => toPasskey(row, site));
  },
});
