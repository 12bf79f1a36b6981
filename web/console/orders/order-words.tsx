import type { OrderListItem } from '../../../sdk/src/index.ts';
import { EarningsPill, type Earnings } from '../../ui/earnings-pill.tsx';
import { Money } from '../../ui/money.tsx';
import { Pill, type PillKind } from '../../ui/pill.tsx';
import { t } from '../../words.ts';

type OrderStatus = OrderListItem['status'];

const statusKinds: Record<OrderStatus, PillKind> = {
  pending: 'plain',
  processing: 'accent',
  'on-hold': 'warn',
  completed: 'good',
  cancelled: 'bad',
  refunded: 'bad',
  failed: 'bad',
};
export const orderStatuses = Object.keys(statusKinds) as OrderStatus[];

export function StatusPill({ status }: { status: OrderStatus }) {
  return <Pill kind={statusKinds[status]}>{t(`console-orders.status.${status}`)}</Pill>;
}

type Referral = OrderListItem['referrals'][number];

const reversed = new Set<OrderStatus>(['cancelled', 'refunded', 'failed']);

export function earningsOf(referral: Referral, status: OrderStatus): Earnings {
  const { state, commission, expected, hold_until, in_review } = referral;
  if (expected !== null && expected > 0) return 'awaiting';
  if (state === 'void' && reversed.has(status)) return 'reversed';
  if (state === 'void' || commission <= 0) return 'nothing';
  if (state === 'granted') return 'earned';
  if (in_review) return 'in_review';
  return hold_until === null ? 'nothing' : 'on_hold';
}

/** What the referral earns, or will earn once the order is completed. */
function amountOf({ commission, expected }: Referral): number {
  return expected ?? commission;
}

/** The commission of an order; that of an open one, which is not earned yet, is in grey. */
export function OrderCommission({ order: { referrals } }: { order: OrderListItem }) {
  const amount = (
    <Money amount={referrals.reduce((sum, referral) => sum + amountOf(referral), 0)} />
  );
  const isExpected = referrals.some(({ expected }) => expected !== null);
  return isExpected ? <span class="muted">{amount}</span> : amount;
}

/** What the order earns, in a word: the state of the referral that earns most. */
export function OrderEarnings({ order }: { order: OrderListItem }) {
  const [most] = order.referrals.toSorted((a, b) => amountOf(b) - amountOf(a));
  if (!most) return <Pill kind="plain">{t('console-orders.state.none')}</Pill>;
  return <EarningsPill state={earningsOf(most, order.status)} />;
}
