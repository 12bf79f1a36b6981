import { computed, signal } from '@preact/signals';
import type { ReviewPayout } from '../../../sdk/src/index.ts';
import type { Selection } from '../../../web/ui/selection.tsx';
import type { PayoutStatus } from './payout-words.ts';

/** What the review of many payouts knows about each of them. */
export interface Chosen {
  readonly id: number;
  readonly name: string;
  readonly amount: number;
  /** As it was when it was chosen. A payout that has another one since is not changed. */
  readonly status: PayoutStatus;
  readonly method: string;
}

/** What became of one payout. */
export interface Outcome {
  readonly payout: Chosen;
  /** Why it was not changed, in words. */
  readonly refusal?: string | undefined;
}

/** As many as one request may change. */
export const CHOSEN_MAX = 500;

/**
 * The chosen payouts, and why some of them could not be changed. They outlive the screen: a person may look at one
 * payout, or sign in again, and come back to them.
 */
export const chosen = signal<ReadonlyMap<number, Chosen>>(new Map());
export const refusals = signal<ReadonlyMap<number, string>>(new Map());

export const chosenTotal = computed(() => sumOf([...chosen.value.values()]));

/** In thousandths, the smallest unit of any currency, because sums of decimals are not exact. */
export function sumOf(payouts: readonly { readonly amount: number }[]): number {
  return payouts.reduce((sum, { amount }) => sum + Math.round(amount * 1000), 0) / 1000;
}

export function choose(payouts: Iterable<Chosen>): void {
  const next = new Map(chosen.value);
  for (const payout of payouts) if (next.size < CHOSEN_MAX) next.set(payout.id, payout);
  chosen.value = next;
}

export function leaveOut(ids: Iterable<number>): void {
  const next = new Map(chosen.value);
  for (const id of ids) next.delete(id);
  chosen.value = next;
}

/** Leaves out what was chosen in another status. */
export function chooseOnly(statuses: readonly string[]): void {
  leaveOut(
    [...chosen.value.values()]
      .filter(({ status }) => !statuses.includes(status))
      .map(({ id }) => id),
  );
}

export function chooseNone(): void {
  chosen.value = new Map();
  refusals.value = new Map();
}

/** After a change of many: what was refused stays chosen, with its reason. */
export function keepRefused(outcomes: readonly Outcome[]): void {
  const reasons = new Map<number, string>();
  for (const { payout, refusal } of outcomes) if (refusal) reasons.set(payout.id, refusal);
  refusals.value = reasons;
  chosen.value = new Map([...chosen.value].filter(([id]) => reasons.has(id)));
}

export function toChosen({ id, affiliate, amount, status, method_type }: ReviewPayout): Chosen {
  return { id, name: affiliate.name, amount, status, method: method_type };
}

/** The check boxes of a page. What was chosen on other pages stays chosen. */
export function selectionOf(shown: readonly ReviewPayout[]): Selection {
  const set = (payouts: readonly ReviewPayout[], isSelected: boolean) =>
    isSelected ? choose(payouts.map(toChosen)) : leaveOut(payouts.map(({ id }) => id));
  const ids = shown.map(({ id }) => id).filter((id) => chosen.value.has(id));
  return {
    ids,
    isAll: shown.length > 0 && ids.length === shown.length,
    has: (id) => chosen.value.has(Number(id)),
    set: (id, isSelected) =>
      set(
        shown.filter((payout) => payout.id === id),
        isSelected,
      ),
    setAll: (isSelected) => set(shown, isSelected),
  };
}
