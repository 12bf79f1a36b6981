import { t } from '../words.ts';
import { Pill, type PillKind } from './pill.tsx';

export const earningsStates = [
  'awaiting',
  'on_hold',
  'in_review',
  'earned',
  'reversed',
  'nothing',
] as const;
export type Earnings = (typeof earningsStates)[number];

const kinds: Record<Earnings, PillKind> = {
  awaiting: 'plain',
  on_hold: 'accent',
  in_review: 'warn',
  earned: 'good',
  reversed: 'bad',
  nothing: 'plain',
};

/** What an order earns, in the same words in the portal and in the console. */
export function EarningsPill({ state }: { state: Earnings }) {
  return <Pill kind={kinds[state]}>{t(`common.earnings.${state}`)}</Pill>;
}
