import { creating } from '../../src/db/create-tables.ts';
import { defineModule } from '../../src/kernel/declare/module.ts';
import { contribute } from '../../src/kernel/declare/point.ts';
import { affiliateExtras } from '../../src/modules/affiliates/index.ts';
import { couponReaders, couponRecords } from '../../src/modules/coupons/index.ts';
import { ledgerAudits, orderMoves } from '../../src/modules/ledger/index.ts';
import {
  heldIn,
  heldSums,
  referralChecks,
  referralHooks,
  releasesIn,
} from '../../src/modules/orders/index.ts';
import { shareHistories } from '../../src/modules/stats/index.ts';
import { affiliateParents, parentReads } from './affiliate-parents.ts';
import { auditShares } from './audit-shares.ts';
import { moveShares } from './move-shares.ts';
import { parentChanged, shareAdded, shareRemoved } from './multilevel-events.ts';
import { rememberOrders } from './order-of-referral.ts';
import { loop } from './parent.ts';
import { setParent } from './set-parent.ts';
import { MULTILEVEL, multilevelSettings } from './settings.ts';
import { shareCommission } from './share-commission.ts';
import { sharesByDay } from './share-history.ts';
import { hasShares } from './share-rows.ts';
import { tables } from './tables.ts';

// The words of this add-on: "multilevel" is the feature; an affiliate has at most one "parent"; the chain of parents
// above it is its "upline"; a "tier" is a position in that chain, 1 for the parent. `mla_…` and `T1` in the API, the
// settings and the tables mean the same and are fixed by the specification.

export const multilevelModule = defineModule({
  name: MULTILEVEL,
  summary:
    'Multilevel program: an affiliate’s upline earns a share, and its parent reads its coupons',
  addon: true,
  operations: [setParent],
  events: [parentChanged, shareAdded, shareRemoved],
  settings: multilevelSettings,
  errors: [loop],
  migrations: [creating('multilevel/0001-baseline', tables)],
  correctInstants: releasesIn('mla_shares', 'order_id'),
  contributions: [
    contribute(affiliateExtras, affiliateParents),
    contribute(couponReaders, parentReads),
    contribute(couponRecords, hasShares),
    contribute(referralChecks, rememberOrders),
    contribute(referralHooks, shareCommission),
    contribute(ledgerAudits, auditShares),
    // Shares are held back together with the commission that they are a share of.
    contribute(
      heldSums,
      heldIn({ table: 'mla_shares', coupon: 'upline_coupon_id', user: 'upline_id' }),
    ),
    contribute(shareHistories, sharesByDay),
    contribute(orderMoves, moveShares),
  ],
});
