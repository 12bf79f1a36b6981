import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { RewardRule } from '../../../sdk/src/index.ts';
import { FieldErrorsOf } from '../../ui/field.tsx';

const parts = [
  'name',
  'active',
  'who',
  'what',
  'order',
  'from',
  'to',
  'rate',
  'limit',
  'running',
] as const;

/** A rule as its form has it. A number that is missing or no number is NaN, which the service refuses. */
export type RuleDraft = Pick<RewardRule, (typeof parts)[number]>;

export const emptyDraft: RuleDraft = {
  name: '',
  active: true,
  who: {},
  what: {},
  order: {},
  from: null,
  to: null,
  rate: {},
  limit: null,
  running: false,
};

export function draftOf(rule: RewardRule): RuleDraft {
  return pick(rule, parts);
}

/** The parts that differ, so that saving does not touch what another person may have changed. */
export function changesOf<D extends object>(before: D, after: D): Partial<D> {
  // A draft has no other keys than those of its type.
  const all = Object.keys(after) as (keyof D)[];
  return pick(
    after,
    all.filter((part) => JSON.stringify(before[part]) !== JSON.stringify(after[part])),
  );
}

export function pick<T, K extends keyof T>(whole: T, keys: readonly K[]): Pick<T, K> {
  // The keys are those of the type.
  return Object.fromEntries(keys.map((key) => [key, whole[key]])) as Pick<T, K>;
}

interface DraftInForm {
  readonly draft: RuleDraft;
  set(changes: Partial<RuleDraft>): void;
}

/** The rule of the form around the fields. */
export const DraftOf = createContext<DraftInForm>({ draft: emptyDraft, set() {} });

export const useDraft = () => useContext(DraftOf);

/** Why a value is refused: by the last attempt to save it, or by the service while it is typed. */
export function useFault(name: string): string | undefined {
  return useContext(FieldErrorsOf)[name];
}

/** The number in a text; NaN if it is none. */
export function numberOf(text: string): number {
  const plain = text.trim().replace(',', '.');
  return plain === '' ? NaN : Number(plain);
}

/** The words of a list that is separated by commas or lines. */
export function wordsOf(text: string): string[] {
  return [...new Set(text.split(/[,\n]/).map((word) => word.trim()))].filter(Boolean);
}

/** Whether a rate is still to be filled in. */
export function hasNoRate({ rate }: RuleDraft): boolean {
  return Object.values(rate).every((value) => value === null || value === undefined);
}

/** Whether a number or a list with a field of its own is still to be filled in. */
export function isUnfinished(value: unknown): boolean {
  if (Array.isArray(value) && value.length === 0) return true;
  if (typeof value === 'object' && value !== null) return Object.values(value).some(isUnfinished);
  return Number.isNaN(value);
}
