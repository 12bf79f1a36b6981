import type Type from 'typebox';
import type { Static } from 'typebox';
import type { RuleNames, SentenceWriter, Store } from './sentence-parts.ts';

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

/** The parts of a rule that have conditions. */
export interface Conditions {
  readonly who: object;
  readonly what: object;
  readonly order: object;
  readonly from: string | null;
  readonly to: string | null;
}

/** What conditions ask of a product that was bought. Ids are compared as texts. */
export interface AskedLine {
  readonly productId: string;
  readonly otherIds: readonly (string | number)[];
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
export interface ConditionRow<V = unknown, S extends Type.TSchema = Type.TSchema> {
  /** What an explanation calls it where it does not hold. */
  readonly name: Mismatch;
  readonly schema: S;
  /** The facts that are read only for rules that ask them. */
  readonly asks?: 'groups' | 'customers';
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
export interface ListRow<I extends Type.TSchema> extends ConditionRow<
  readonly Static<I>[],
  Type.TArray<I>
> {
  /** Visits those of an order. No list is made, because every order is asked. */
  visit(order: AskedOrder, facts: AskedFacts, visitor: (id: Id) => void): void;
}

/** A condition with its place in a rule. */
export interface Placed<V> {
  /** What a rule wants; undefined if it leaves that open. */
  wanted(rule: Conditions): V | undefined;
}
export type Condition<V = unknown> = ConditionRow<V> & Placed<V>;
export type ListCondition = Condition<readonly Id[]> & Pick<ListRow<Type.TSchema>, 'visit'>;

type Wanted<R> = R extends ConditionRow<infer V> ? V : never;

/** Puts conditions into a part of a rule, each into the field of its name; those of no part are fields of the rule. */
export function inPart<R extends Readonly<Record<string, ConditionRow<any>>>>(
  part: 'who' | 'what' | 'order' | null,
  rows: R,
) {
  const placed = Object.entries(rows).map(([field, row]) => {
    const wanted = (rule: Conditions) => {
      const value = ((part ? rule[part] : rule) as Readonly<Record<string, unknown>>)[field];
      return isOpen(value) ? undefined : value;
    };
    return [field, { ...row, wanted }];
  });
  // The fields have what their schemas allow.
  return Object.fromEntries(placed) as { readonly [F in keyof R]: R[F] & Placed<Wanted<R[F]>> };
}

/** Any kind, no minimum and no day are no conditions. */
function isOpen(value: unknown): boolean {
  return value === undefined || value === null || value === 'any' || value === 0;
}

export function coversList(above: readonly unknown[], one: readonly unknown[]): boolean {
  return one.every((id) => above.includes(id));
}

/** For what an order has one of. */
export function oneCondition<I extends Type.TSchema>({
  idOf,
  ...row
}: Pick<ListRow<I>, 'name' | 'schema' | 'asks' | 'say'> & {
  idOf(order: AskedOrder, facts: AskedFacts): Id;
}): ListRow<I> {
  return {
    ...row,
    visit: (order, facts, visitor) => visitor(idOf(order, facts)),
    isMet: (list: readonly unknown[], order, facts) => list.includes(idOf(order, facts)),
    covers: coversList,
    areApart: (one, other: readonly unknown[]) => !one.some((id) => other.includes(id)),
  };
}

/** A condition that wants one kind. */
export function kindCondition<T extends string>(
  row: Omit<ConditionRow<T, Type.TUnsafe<T>>, 'covers' | 'areApart'>,
): ConditionRow<T, Type.TUnsafe<T>> {
  return {
    ...row,
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
