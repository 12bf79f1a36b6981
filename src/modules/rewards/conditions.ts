import Type from 'typebox';
import { Day, Id, Nullable, StringEnum } from '../../kernel/declare/schemas.ts';
import {
  creditKinds,
  customerKinds,
  paymentKinds,
  type whatKinds,
} from '../../web-contract/reward-kinds.ts';
import {
  coversList,
  kindCondition,
  oneCondition,
  type AskedLine,
  type Condition,
  type ListCondition,
} from './condition.ts';
import type { RuleOrder } from './rule.ts';
import { namesOf } from './sentence-parts.ts';

/*
 * The conditions of rules: each is one row with its schema, whether an order meets it, whether one rule covers another,
 * and what the sentence says. Whatever deals with conditions reads these tables.
 */

const LIST_MAX = 500;
const PAYMENTS_MAX = 10_000;

const listOf = <T extends Type.TSchema>(items: T, description: string) =>
  Type.Array(items, { minItems: 1, maxItems: LIST_MAX, uniqueItems: true, description });
const ids = (description: string) => listOf(Id('Its id.'), description);

/** Infer what a condition wants. */
const row = <V, S extends Type.TSchema>(one: Condition<V, S>) => one;
const byIds = <T extends string | number, S extends Type.TSchema>(one: ListCondition<T, S>) => one;

/** Whose orders: at most one of them. */
export const whoConditions = {
  groups: byIds({
    name: 'who',
    schema: listOf(
      Type.Union([Type.String({ maxLength: 100 }), Id('Its id.')]),
      'Groups by name, or by id; a group that was deleted is shown by its id.',
    ),
    asks: 'groups',
    wanted: ({ who }) => who.groups,
    visit: (_, { groups }, visitor) => groups?.forEach(visitor),
    isMet: (wanted, _, { groups }) => groups?.some((id) => wanted.includes(id)) ?? false,
    covers: coversList,
  }),
  affiliates: {
    ...oneCondition({
      name: 'who',
      schema: ids('Affiliates by id.'),
      wanted: ({ who }) => who.affiliates,
      idOf: (_, { affiliate }) => affiliate,
    }),
    // Rules are compared for one affiliate, who may be any.
    areApart: () => false,
  },
  coupons: oneCondition({
    name: 'who',
    schema: ids('Coupons by id.'),
    wanted: ({ who }) => who.coupons,
    idOf: (_, { coupon }) => coupon,
  }),
};

type Goods = (typeof whatKinds)[number];

const idsOf: Record<Goods, (line: AskedLine) => readonly (string | number)[]> = {
  products: ({ productId }) => [productId],
  categories: ({ categories }) => categories,
  tags: ({ tags }) => tags,
};

const goods = (kind: Goods, description: string) => ({
  ...byIds({
    name: 'what',
    schema: listOf(Type.String({ minLength: 1, maxLength: 100 }), description),
    wanted: ({ what }) => what[kind],
    visit({ lines }, _, visitor) {
      for (const line of lines) for (const id of idsOf[kind](line)) visitor(String(id));
    },
    isMet: (wanted, { lines }) =>
      lines.flatMap(idsOf[kind]).some((id) => wanted.includes(String(id))),
    covers: coversList,
    // Only products exclude each other: one may be in several categories.
    areApart: (one, other) => kind === 'products' && !one.some((id) => other.includes(id)),
    say(writer, wanted) {
      const names = writer.names(kind, wanted, kind === 'tags' ? 'or' : 'and');
      return writer.counted(`rewards.what.${kind}`, wanted.length, { names });
    },
  }),
  idsOfLine: idsOf[kind],
});

/** Which goods: at most one of them. Each line is asked by itself. */
export const whatConditions = {
  products: goods('products', 'Products by the id that the store gives them.'),
  categories: goods('categories', 'Categories by the id that the store gives them.'),
  tags: goods('tags', 'Tags by the id that the store gives them.'),
};

/** Which orders: all of them must hold. */
export const orderConditions = {
  customer: kindCondition({
    name: 'customer',
    schema: StringEnum(customerKinds, { description: "The customer's orders." }),
    asks: 'customers',
    wanted: ({ order }) => order.customer,
    isMet: (kind, _, { customer }) => kind === customer,
    say: (writer, kind) => (kind === 'any' ? '' : writer.say(`rewards.orders.${kind}`)),
  }),
  payment: kindCondition({
    name: 'payment',
    schema: StringEnum(paymentKinds, { description: 'Payments of subscriptions.' }),
    wanted: ({ order }) => order.payment,
    isMet: (kind, _, { payment = 1 }) => (kind === 'first') === (payment === 1),
    say: (writer, kind) => (kind === 'any' ? '' : writer.say(`rewards.payment.${kind}`)),
  }),
  payments: row({
    name: 'payment',
    schema: Type.Object(
      {
        from: Type.Optional(numberOf('The first payment.')),
        to: Type.Optional(numberOf('The last payment.')),
      },
      {
        additionalProperties: false,
        description: 'With `payment` renewal: which ones by number, both ends included.',
      },
    ),
    wanted: ({ order }) => rangeOf(order),
    isMet: ({ from, to }, _, { payment: number = 1 }) => number >= from && number <= to,
    covers: (above, one) => above.from <= one.from && above.to >= one.to,
    areApart: (one, other) => one.to < other.from || other.to < one.from,
    say(writer, { from, to, kind }) {
      if (kind === 'first') return '';
      const first = Math.max(from, kind === 'renewal' ? FIRST_RENEWAL : 1);
      if (to === Infinity) return writer.say('rewards.payments.from', { from: first });
      return writer.say(`rewards.payments.${first === to ? 'single' : 'between'}`, {
        from: first,
        to,
      });
    },
  }),
  min_total: row({
    name: 'min_total',
    schema: Type.Number({
      minimum: 0,
      description: 'The minimum total of the order, after discount.',
    }),
    wanted: ({ order }) => order.min_total || undefined,
    isMet: (minimum, { total }) => total >= minimum,
    covers: (above, one) => above <= one,
    say: (writer, amount, _, site) =>
      writer.say('rewards.minimum', { amount: writer.money(site, amount) }),
  }),
  countries: oneCondition({
    name: 'country',
    schema: listOf(
      Type.String({ pattern: '^[A-Z]{2}$', examples: ['DE'], description: 'Two capital letters.' }),
      'Countries of the order, as in ISO 3166.',
    ),
    wanted: ({ order }) => order.countries,
    idOf: ({ country }) => country ?? '',
    say(writer, codes) {
      const countries = codes.map((code) => writer.country(code));
      return writer.say('rewards.countries', { names: writer.names('countries', countries, 'or') });
    },
  }),
  via: oneCondition({
    name: 'via',
    schema: listOf(StringEnum(creditKinds), 'What credited the order.'),
    wanted: ({ order }) => order.via,
    idOf: (_, { via }) => via,
    say(writer, kinds) {
      const said = kinds.map((kind) => writer.say(`rewards.via.${kind}`));
      return writer.say('rewards.via', { kinds: writer.list(said, 'or') });
    },
  }),
  stores: oneCondition({
    name: 'store',
    schema: ids('Connected stores by id.'),
    wanted: ({ order }) => order.stores,
    idOf: ({ storeId }) => storeId ?? 0,
    say: (writer, list, { stores }) =>
      writer.counted('rewards.stores', list.length, {
        names: writer.names('stores', namesOf(list, stores), 'and'),
      }),
  }),
};

/** The days of orders, both included. */
export const dayConditions = {
  from: row({
    name: 'from',
    schema: Nullable(Day('The first day of the orders, in the time zone of the site.')),
    wanted: ({ from }) => from ?? undefined,
    isMet: (first, { day }) => day >= first,
    covers: (above, one) => above <= one,
  }),
  to: row({
    name: 'to',
    schema: Nullable(Day('The last day of the orders.')),
    wanted: ({ to }) => to ?? undefined,
    isMet: (last, { day }) => day <= last,
    covers: (above, one) => above >= one,
  }),
};

/** In the order of explanations. Those of goods belong to the lines of an order. */
export const conditionsOfOrders: readonly Condition[] = [
  ...Object.values(whoConditions),
  ...Object.values(dayConditions),
  ...Object.values(orderConditions),
];
export const conditionsOfLines = Object.values(whatConditions);
export const allConditions: readonly Condition[] = [...conditionsOfOrders, ...conditionsOfLines];

function numberOf(description: string) {
  return Type.Integer({ minimum: 1, maximum: PAYMENTS_MAX, description });
}

/** The first renewal is the second payment. */
const FIRST_RENEWAL = 2;

function rangeOf({ payment: kind, payments: { from, to } = {} }: RuleOrder) {
  if (from === undefined && to === undefined) return undefined;
  return { from: from ?? 1, to: to ?? Infinity, kind };
}
