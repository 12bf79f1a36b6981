import { operation } from '../../kernel/declare/operation.ts';
import { findUser } from '../users/index.ts';
import { exportPerson, PersonSchema } from './export-person.ts';

export const getOwnExport = operation({
  method: 'GET',
  namespace: 'store',
  path: '/account/export',
  summary: 'Export everything that is stored about you',
  description:
    'Without secrets and remarks of the team; payout details are masked. At most the latest 10,000 orders, entries of ' +
    'the ledger and activities.',
  access: 'user',
  scope: 'manage',
  long: true,
  proof: true,
  response: PersonSchema,
  async handle({ db, site, caller }) {
    // The caller was identified by its row.
    return exportPerson(db, site, (await findUser(db, caller.person!.id))!);
  },
});
