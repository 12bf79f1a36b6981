import { sql } from 'kysely';
import { readCount } from '../../src/db/lists/paged-list.ts';
import { beginsWith } from '../../src/db/statements/begins-with.ts';
import { query } from '../../src/db/statements/query.ts';
import type { PersonErasure } from '../../src/modules/privacy/index.ts';
import { eraseFilesOf } from './files/payout-file-rows.ts';
import { detailsChangedMail } from './mails/payout-mails.ts';

type OfUser = { user_id: number };

/** Literal statuses, as the partial index payouts_open needs them. */
const open = readCount((db, p: OfUser) =>
  db
    .selectFrom('payouts')
    .where('user_id', '=', p.user_id)
    .where(sql<boolean>`status in ('pending', 'created', 'processing')`),
);
const savedDetails = query<OfUser>((db, p) =>
  db.deleteFrom('payout_details').where('user_id', '=', p.user_id),
);
/** The message of a gateway may quote the destination. */
const copies = query<OfUser>((db, p) =>
  db
    .updateTable('payouts')
    .set({ details: null, failure_message: null, unclear_reason: null })
    .where('user_id', '=', p.user_id),
);
const calls = query<OfUser>((db, p) =>
  db
    .updateTable('payout_calls')
    .set({ reason: sql.lit('') })
    .where('payout_id', 'in', (eb) =>
      eb.selectFrom('payouts').select('payouts.id').where('payouts.user_id', '=', p.user_id),
    ),
);
/** The former destination is notified of a change too, if it was an address. */
const mails = query<{ beginning: string }>((db, p) =>
  db.deleteFrom('outbox').where(beginsWith('key', p.beginning)),
);

/** Erases the destinations of a person. Amounts, dates and the references of payments stay. */
export const erasePayoutDetails: PersonErasure = {
  openMoney: async (db, _site, userId) => ({
    open_payouts: await open(db, { user_id: userId }),
  }),
  async erase(tx, { user }) {
    await tx.lock(`payout details of ${user.id}`);
    await tx.run(savedDetails, { user_id: user.id });
    await tx.run(copies, { user_id: user.id });
    await tx.run(calls, { user_id: user.id });
    await eraseFilesOf(tx, { user_id: user.id });
    await tx.run(mails, { beginning: `${detailsChangedMail.name}:${user.id}:` });
  },
};
