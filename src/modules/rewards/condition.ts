import type Type from 'typebox';
import type { RewardRule } from './rule.ts';
import type { Store } from './sentence-clauses.ts';
import type { RuleNames, SentenceWriter } from './sentence-parts.ts';

/** The conditions of a rule that an order may not meet. */
export const mismatches = [
  'who',
  'what',
  'from',
  'to',
  'customer',
  'payment',
  'min_total',
  'country',
  'via',
  'store',
] as const;
export type Mismatch = (typeof mismatches)[number];

export type Conditions = Pick<RewardRule, 'who' | 'what' | 'order' | 'from' | 'to'>;

/** What conditions ask of a product that was bought. Ids are compared as texts. */
export interface AskedLine {
  readonly productId: string;
  readonly categories: readonly (string | number)[];
  readonly tags: readonly (string | number)[];
}

/** What conditions ask of an order itself. It follows the order when the order changes. */
export interface AskedOrder {
  readonly lines: readonly AskedLine[];
  /** Minor units of the store's currency. */
  readonly total: number;
  readonly day: string;
  readonly country: string | null;
  readonly storeId: number | null;
}

/** What conditions ask of whom the order is credited to, and of the moment in which it counts. */
export interface AskedFacts {
  readonly affiliate: number;
  readonly coupon: number;
  readonly via: string;
  readonly groups?: readonly number[];
  readonly customer?: 'first' | 'repeat';
  readonly payment?: number;
}

/** All that the program knows about a condition that wants a `V`. */
export interface Condition<V = unknown, S extends Type.TSchema = Type.TSchema> {
  /** What an explanation calls it where it does not hold. */
  readonly name: Mismatch;
  readonly schema: S;
  /** The facts that are read only for rules that ask them. */
  readonly asks?: 'groups' | 'customers';
  /** What a rule wants; undefined if it leaves that open. */
  wanted(rule: Conditions): V | undefined;
  isMet(wanted: V, order: AskedOrder, facts: AskedFacts): boolean;
  /** Whether each order that meets `one` meets `above`. */
  covers(above: V, one: V): boolean;
  /** Whether no order meets both. Without it there may always be one. */
  areApart?(one: V, other: V): boolean;
  /** Its part of the sentence. */
  say?(writer: SentenceWriter, wanted: V, names: RuleNames, site: Store): string;
}

type Id = string | number;

/** A condition that wants one of some ids, by which rules are found. */
export interface ListCondition<
  T extends Id = Id,
  S extends Type.TSchema = Type.TSchema,
> extends Condition<readonly T[], S> {
  /** Visits those of an order. No list is made, because every order is asked. */
  visit(order: AskedOrder, facts: AskedFacts, visitor: (id: Id) => void): void;
}

export function coversList<T extends Id>(above: readonly T[], one: readonly T[]): boolean {
  return one.every((id) => above.includes(id));
}

/** For what an order has one of. */
export function oneCondition<T extends Id, S extends Type.TSchema>({
  idOf,
  ...row
}: Pick<Condition<readonly T[], S>, 'name' | 'schema' | 'asks' | 'wanted' | 'say'> & {
  idOf(order: AskedOrder, facts: AskedFacts): Id;
}): ListCondition<T, S> {
  return {
    ...row,
    visit: (order, facts, visitor) => visitor(idOf(order, facts)),
    isMet: (list: readonly Id[], order, facts) => list.includes(idOf(order, facts)),
    covers: coversList,
    areApart: (one, other: readonly Id[]) => !one.some((id) => other.includes(id)),
  };
}

/** A condition that wants one kind, where `any` is none. */
export function kindCondition<T extends string, S extends Type.TSchema>(
  row: Omit<Condition<T, S>, 'covers' | 'areApart'>,
): Condition<T, S> {
  return {
    ...row,
    wanted(rule) {
      const kind = row.wanted(rule);
      return kind === 'any' ? undefined : kind;
    },
    covers: (above, one) => above === one,
    areApart: (one, other) => one !== other,
  };
}

export function isIn(one: Condition, rule: Conditions): boolean {
  return one.wanted(rule) !== undefined;
}

/** Whether each order for which a rule meets the condition is one for which another does. */
export function isCovered(one: Condition, above: Conditions, rule: Conditions): boolean {
  const [a, b] = [one.wanted(above), one.wanted(rule)];
  return a === undefined || (b !== undefined && one.covers(a, b));
}
