import { sql } from 'kysely';
import { creating } from '../../db/create-tables.ts';
import { defineModule } from '../../kernel/declare/module.ts';
import { contribute } from '../../kernel/declare/point.ts';
import { commissionGroup } from '../../kernel/declare/setting-groups.ts';
import { inGroup } from '../../kernel/declare/setting.ts';
import { newAffiliates } from '../affiliates/index.ts';
import { ledgerAudits } from '../ledger/index.ts';
import { customersAsked, heldIn, heldSums, referralHooks, releasesIn } from '../orders/index.ts';
import { auditBonuses } from './audit-bonuses.ts';
import { bonusReached, bonusReversed } from './bonus-events.ts';
import { bonusList } from './bonus-list.ts';
import {
  changeBonus,
  createBonus,
  deleteBonus,
  listBonuses,
  previewBonus,
} from './bonus-operations.ts';
import { checkBonuses } from './check-bonuses.ts';
import { getAffiliateRewards } from './get-affiliate-rewards.ts';
import { noteAccepted, asksForCustomers, noteMovements } from './note-movements.ts';
import { tables } from './tables.ts';

export const bonusesModule = defineModule({
  name: 'bonuses',
  summary: 'Bonuses for affiliates who reach a target',
  addon: false,
  operations: [
    listBonuses,
    previewBonus,
    createBonus,
    changeBonus,
    deleteBonus,
    getAffiliateRewards,
  ],
  events: [...Object.values(bonusList.events), bonusReached, bonusReversed],
  errors: [bonusList.tooMany],
  settings: inGroup(commissionGroup, { 'Version of the bonuses': bonusList.version }),
  jobs: [checkBonuses],
  migrations: [
    creating('bonuses/0001-baseline', tables, {
      // Both sides of the comparison with the ledger, of which most entries are orders.
      after: (schema) => [
        schema
          .createIndex('ledger_of_bonuses')
          .on('ledger')
          .column('coupon_id')
          .where(sql.raw<boolean>("kind = 'bonus'")),
      ],
    }),
  ],
  correctInstants: releasesIn('bonus_payments', 'user_id'),
  contributions: [
    contribute(referralHooks, noteMovements),
    contribute(customersAsked, asksForCustomers),
    contribute(newAffiliates, noteAccepted),
    contribute(heldSums, heldIn({ table: 'bonus_payments', amount: 'amount' })),
    contribute(ledgerAudits, auditBonuses),
  ],
});
