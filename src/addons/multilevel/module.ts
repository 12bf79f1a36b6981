import { defineModule } from '../../kernel/declare/module.ts';
import { contribute } from '../../kernel/declare/point.ts';
import { affiliateExtras } from '../../modules/affiliates/index.ts';
import { couponReaders, couponRecords } from '../../modules/coupons/index.ts';
import { referralHooks } from '../../modules/orders/index.ts';
import { shareHistories } from '../../modules/stats/index.ts';
import { affiliateParents, uplineReads } from './affiliate-parents.ts';
import { migrations } from './migrations.ts';
import { parentChanged, shareAdded, shareRemoved } from './mla-events.ts';
import { loop } from './parent.ts';
import { setParent } from './set-parent.ts';
import { percents, tiers } from './settings.ts';
import { shareCommission } from './share-commission.ts';
import { sharesByDay } from './share-history.ts';
import { hasShares } from './share-store.ts';
import { tables } from './tables.ts';

export const multilevelModule = defineModule({
  name: 'multilevel',
  summary: 'Affiliates below affiliates: those above read along and earn a share',
  addon: true,
  operations: [setParent],
  events: [parentChanged, shareAdded, shareRemoved],
  settings: [tiers, percents],
  errors: [loop],
  tables,
  migrations,
  contributions: [
    contribute(affiliateExtras, affiliateParents),
    contribute(couponReaders, uplineReads),
    contribute(couponRecords, hasShares),
    contribute(referralHooks, shareCommission),
    contribute(shareHistories, sharesByDay),
  ],
});
