import { formatMoney } from '../format.ts';
import './money.css';

/** An amount. It never wraps, and its digits are equally wide, so that amounts below each other line up. */
export function Money({ amount, currency }: { amount: number; currency?: string }) {
  return <span class="money">{formatMoney(amount, currency)}</span>;
}
