import Type from 'typebox';
import { collection, pageHeaders } from '../../kernel/cache/collection.ts';
import { generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id, pageParameters } from '../../kernel/declare/schemas.ts';
import { requireAccount } from '../coupons/index.ts';
import { countEntries, listEntries } from './ledger-rows.ts';
import { EntrySchema, toEntry } from './ledger-wire.ts';

export const listLedger = operation({
  method: 'GET',
  namespace: 'store',
  path: '/coupons/{id}/ledger',
  summary: 'The ledger of a coupon with running balances',
  description:
    'Newest first. Admins see the entries of all affiliates that the coupon ever belonged to; an affiliate sees its own.',
  access: 'owner',
  scope: 'read',
  params: Type.Object({ id: Id('The coupon.') }),
  query: Type.Object({ ...pageParameters }),
  response: Type.Array(EntrySchema),
  headers: pageHeaders,
  errors: [generalErrors.notFound],
  async handle({ db, site, caller }, input) {
    const filter = { coupon_id: input.id, owner_id: await requireAccount(db, caller, input.id) };
    return collection(input, await countEntries(db, filter), async (slice) => {
      const rows = await listEntries(db, { ...filter, ...slice });
      return rows.map((row) => toEntry(row, site));
    });
  },
});
