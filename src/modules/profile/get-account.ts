import { operation } from '../../kernel/declare/operation.ts';
import { findUser } from '../users/index.ts';
import { AccountSchema, toAccount } from './account-wire.ts';

export const getAccount = operation({
  method: 'GET',
  namespace: 'store',
  path: '/account',
  summary: "Show the caller's own account",
  access: 'user',
  scope: 'read',
  beforeSecondFactor: true,
  response: AccountSchema,
  async handle({ db, site, caller }) {
    // The caller was identified by its row.
    const row = (await findUser(db, caller.person!.id))!;
    return toAccount(db, site, caller, row);
  },
});
