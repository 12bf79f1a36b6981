import type { OrderListItem } from '../../../sdk/src/index.ts';
import { Pill, type PillKind } from '../../ui/pill.tsx';
import { t } from '../../words.ts';

export const orderStatuses = [
  'pending',
  'processing',
  'on-hold',
  'completed',
  'cancelled',
  'refunded',
  'failed',
] as const;
type OrderStatus = (typeof orderStatuses)[number];

const statusKinds: Record<OrderStatus, PillKind> = {
  pending: 'plain',
  processing: 'accent',
  'on-hold': 'warn',
  completed: 'good',
  cancelled: 'bad',
  refunded: 'bad',
  failed: 'bad',
};

export function StatusPill({ status }: { status: OrderStatus }) {
  return <Pill kind={statusKinds[status]}>{t(`console-orders.status.${status}`)}</Pill>;
}

type Referral = OrderListItem['referrals'][number];
type Earnings = 'awaiting' | 'on_hold' | 'earned' | 'nothing';

const earningKinds: Record<Earnings, PillKind> = {
  awaiting: 'plain',
  on_hold: 'warn',
  earned: 'good',
  nothing: 'plain',
};

export function earningsOf({ state, commission, hold_until }: Referral): Earnings {
  if (state === 'void' || commission <= 0) return 'nothing';
  if (state === 'granted') return 'earned';
  return hold_until === null ? 'awaiting' : 'on_hold';
}

/** What the order earns, in a word: the state of the referral that earns most. */
export function EarningsPill({ order }: { order: OrderListItem }) {
  const [most] = order.referrals.toSorted((a, b) => b.commission - a.commission);
  if (!most) return <Pill kind="plain">{t('console-orders.state.none')}</Pill>;
  const state = earningsOf(most);
  return <Pill kind={earningKinds[state]}>{t(`console-orders.state.${state}`)}</Pill>;
}
