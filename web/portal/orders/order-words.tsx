import type { AffiliateOrder } from '../../../sdk/src/index.ts';
import { Pill, type PillKind } from '../../ui/pill.tsx';
import { t } from '../../words.ts';

export const orderStates = ['awaiting', 'on_hold', 'earned', 'reversed', 'nothing'] as const;
export type OrderState = (typeof orderStates)[number];

const kinds: Record<OrderState, PillKind> = {
  awaiting: 'plain',
  on_hold: 'warn',
  earned: 'good',
  reversed: 'bad',
  nothing: 'plain',
};

/** The state of an order in words. */
export function OrderPill({ order }: { order: AffiliateOrder }) {
  return <Pill kind={kinds[order.state]}>{t(`portal.orders.state.${order.state}`)}</Pill>;
}
