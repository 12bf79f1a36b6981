import { defineModule } from '../../kernel/declare/module.ts';
import { firstSteps, type FirstStep } from '../../kernel/declare/overview.ts';
import { contribute } from '../../kernel/declare/point.ts';
import { settingEffects } from '../../kernel/declare/setting-effect.ts';
import { orderMoves, wholeAudits } from '../ledger/index.ts';
import { batchOrders } from './batch-orders.ts';
import { auditLimits } from './commission/audit-limits.ts';
import { explainCommission } from './commission/explain-commission.ts';
import { deleteOwner, getOwner, setOwner } from './customers/customer-owner.ts';
import { customerAffiliateChanged } from './customers/owner-events.ts';
import { getOrder } from './get-order.ts';
import { releasesIn } from './holds.ts';
import { listOrders } from './list/list-orders.ts';
import { migrations } from './migrations.ts';
import { moveReferrals } from './move-referrals.ts';
import { referralCreated, referralReversed, referralUpdated } from './order-events.ts';
import { countOrdersUpTo } from './order-rows.ts';
import { orderOfStore } from './orders-of-stores.ts';
import { putOrder } from './put-order.ts';
import { applyStatuses } from './resettle/apply-statuses.ts';
import { decideWaiting } from './resettle/decide-history.ts';
import { releaseHeld } from './resettle/release-held.ts';
import { orderEffects } from './setting-effects.ts';
import { orderSettings } from './settings.ts';
import { tryOrder } from './try-order.ts';

const firstOrder: FirstStep = {
  name: 'order',
  title: 'Send the first order',
  isDone: async (db) => (await countOrdersUpTo(db, 1)) > 0,
};

export const ordersModule = defineModule({
  name: 'orders',
  summary: 'Orders from the store and the commissions they earn',
  addon: false,
  operations: [
    putOrder,
    batchOrders,
    listOrders,
    getOrder,
    explainCommission,
    tryOrder,
    getOwner,
    setOwner,
    deleteOwner,
  ],
  events: [referralCreated, referralUpdated, referralReversed, customerAffiliateChanged],
  settings: orderSettings,
  errors: [orderOfStore],
  jobs: [releaseHeld, applyStatuses, decideWaiting],
  migrations,
  correctInstants: releasesIn('referrals', 'order_id'),
  contributions: [
    contribute(firstSteps, firstOrder),
    contribute(orderMoves, moveReferrals),
    contribute(wholeAudits, auditLimits),
    ...orderEffects.map((effect) => contribute(settingEffects, effect)),
  ],
});
