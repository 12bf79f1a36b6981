import { sql } from 'kysely';
import { query } from '../../../src/db/statements/query.ts';
import { about, type RiskCheck, type RiskOther } from '../../../src/modules/registrations/index.ts';
import { isEmailAddress } from '../../../src/shared/email-address.ts';
import { isIban } from '../../../src/shared/iban.ts';
import { hashOfAccount } from './details-rows.ts';

const OTHERS_MAX = 10;

const ownHash = query<{ user_id: number }, { destination_hash: string }>((db, p) =>
  db.selectFrom('payout_details').select('destination_hash').where('user_id', '=', p.user_id),
);

const others = query<{ hashes: string; user_id: number }, RiskOther>((db, p, _given, dialect) =>
  db
    .selectFrom('payout_details')
    .innerJoin('users', 'users.id', 'payout_details.user_id')
    .select(['users.id as user_id', 'users.display_name', 'users.email'])
    .select([sql<null>`null`.as('registration_id'), sql<null>`null`.as('status')])
    .where(dialect.inJsonArray('payout_details.destination_hash', p.hashes, 'text'))
    .where('payout_details.user_id', '<>', p.user_id)
    .orderBy('users.id', 'desc')
    .limit(sql.lit(OTHERS_MAX)),
);

/**
 * Affiliates that are paid to an account of the applicant: the email address, an account in the answers, or the
 * payout details, which an applicant has after the acceptance.
 */
export const sameDestination: RiskCheck = {
  async find(db, site, application) {
    const answers = Object.values(JSON.parse(application.custom_fields) as Record<string, string>);
    const accounts = answers.filter((answer) => isIban(answer) || isEmailAddress(answer));
    const own = await db.first(ownHash, { user_id: application.user_id });
    const hashes = [
      ...[application.email, ...accounts].map((account) => hashOfAccount(site, account)),
      ...(own?.destination_hash ? [own.destination_hash] : []),
    ];
    const found = await db.all(others, {
      hashes: JSON.stringify(hashes),
      user_id: application.user_id,
    });
    const message = 'Another affiliate is paid to an account of the applicant.';
    return about(found, 'same_payout_details', 'high', message);
  },
};
