import Type, { type Static } from 'typebox';
import { Day, Id, Nullable, StringEnum } from '../../kernel/declare/schemas.ts';
import { creditKinds, customerKinds, paymentKinds } from '../../web-contract/reward-kinds.ts';
import {
  coversList,
  kindCondition,
  oneCondition,
  type AskedLine,
  inPart,
  type Condition,
  type ConditionRow,
  type ListRow,
} from './condition.ts';
import { namesOf, type Goods } from './sentence-parts.ts';

/*
 * The conditions of rules: each is one row with its schema, whether an order meets it, whether one rule covers another,
 * and what the sentence says. Whatever deals with conditions reads these tables.
 */

const LIST_MAX = 500;
const PAYMENTS_MAX = 10_000;

const listOf = <T extends Type.TSchema>(items: T, description: string) =>
  Type.Array(items, { minItems: 1, maxItems: LIST_MAX, uniqueItems: true, description });
const ids = (description: string) => listOf(Id('Its id.'), description);

/** A condition wants what its schema allows. */
const row = <S extends Type.TSchema>(one: ConditionRow<NonNullable<Static<S>>, S>) => one;
const byIds = <I extends Type.TSchema>(one: ListRow<I>) => one;

/** Whose orders: at most one of them. */
export const whoConditions = inPart('who', {
  groups: byIds({
    name: 'who',
    schema: listOf(
      Type.Union([Type.String({ maxLength: 100 }), Id('Its id.')]),
      'Groups by name, or by id; a group that was deleted is shown by its id.',
    ),
    asks: 'groups',
    visit: (_, { groups }, visitor) => groups?.forEach(visitor),
    isMet: (wanted, _, { groups }) => groups?.some((id) => wanted.includes(id)) ?? false,
    covers: coversList,
  }),
  affiliates: {
    ...oneCondition({
      name: 'who',
      schema: ids('Affiliates by id.'),
      idOf: (_, { affiliate }) => affiliate,
    }),
    // Rules are compared for one affiliate, who may be any.
    areApart: () => false,
  },
  coupons: oneCondition({
    name: 'who',
    schema: ids('Coupons by id.'),
    idOf: (_, { coupon }) => coupon,
  }),
});

const idsOf: Record<Goods, (line: AskedLine) => readonly (string | number)[]> = {
  products: ({ productId, otherIds }) => [productId, ...otherIds],
  categories: ({ categories }) => categories,
  tags: ({ tags }) => tags,
};

const goods = (kind: Goods, description: string) => ({
  ...byIds({
    name: 'what',
    schema: listOf(Type.String({ minLength: 1, maxLength: 100 }), description),
    visit({ lines }, _, visitor) {
      for (const line of lines) for (const id of idsOf[kind](line)) visitor(String(id));
    },
    isMet: (wanted, { lines }) =>
      lines.flatMap(idsOf[kind]).some((id) => wanted.includes(String(id))),
    covers: coversList,
    // Only products exclude each other: one may be in several categories.
    areApart: (one, other) => kind === 'products' && !one.some((id) => other.includes(id)),
    say(writer, wanted, { goods: nameOf }) {
      const named = wanted.map((id) => nameOf(kind, id));
      const names = writer.names(kind, named, kind === 'tags' ? 'or' : 'and');
      return writer.counted(`rewards.what.${kind}`, wanted.length, { names });
    },
  }),
  idsOfLine: idsOf[kind],
});

/** Which goods: at most one of them. Each line is asked by itself. */
export const whatConditions = inPart('what', {
  products: goods('products', 'Products by the id that the store gives them.'),
  categories: goods('categories', 'Categories by the id that the store gives them.'),
  tags: goods('tags', 'Tags by the id that the store gives them.'),
});

/** Which orders: all of them must hold. */
export const orderConditions = inPart('order', {
  customer: kindCondition({
    name: 'customer',
    schema: StringEnum(customerKinds, { description: "The customer's orders." }),
    asks: 'customers',
    isMet: (kind, _, { customer }) => kind === customer,
    say: (writer, kind) => (kind === 'any' ? '' : writer.say(`rewards.orders.${kind}`)),
  }),
  payment: kindCondition({
    name: 'payment',
    schema: StringEnum(paymentKinds, { description: 'Payments of subscriptions.' }),
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
    isMet: ({ from = 1, to = Infinity }, _, { payment: number = 1 }) =>
      number >= from && number <= to,
    covers: (above, one) =>
      (above.from ?? 1) <= (one.from ?? 1) && (above.to ?? Infinity) >= (one.to ?? Infinity),
    areApart: (one, other) =>
      (one.to ?? Infinity) < (other.from ?? 1) || (other.to ?? Infinity) < (one.from ?? 1),
    say(writer, range) {
      const { to } = range;
      if (range.from === undefined && to === undefined) return '';
      const from = Math.max(range.from ?? 1, FIRST_RENEWAL);
      if (to === undefined) return writer.say('rewards.payments.from', { from });
      return writer.say(`rewards.payments.${from === to ? 'single' : 'between'}`, { from, to });
    },
  }),
  min_total: row({
    name: 'min_total',
    schema: Type.Number({
      minimum: 0,
      description: 'The minimum total of the order, after discount.',
    }),
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
    idOf: ({ country }) => country ?? '',
    say(writer, codes) {
      const countries = codes.map((code) => writer.country(code));
      return writer.say('rewards.countries', { names: writer.names('countries', countries, 'or') });
    },
  }),
  via: oneCondition({
    name: 'via',
    schema: listOf(StringEnum(creditKinds), 'What credited the order.'),
    idOf: (_, { via }) => via,
    say(writer, kinds) {
      const said = kinds.map((kind) => writer.say(`rewards.via.${kind}`));
      return writer.say('rewards.via', { kinds: writer.list(said, 'or') });
    },
  }),
  stores: oneCondition({
    name: 'store',
    schema: ids('Connected stores by id.'),
    idOf: ({ storeId }) => storeId ?? 0,
    say: (writer, list, { stores }) =>
      writer.counted('rewards.stores', list.length, {
        names: writer.names('stores', namesOf(list, stores), 'and'),
      }),
  }),
});

/** The days of orders, both included. */
export const dayConditions = inPart(null, {
  from: row({
    name: 'from',
    schema: Nullable(Day('The first day of the orders, in the time zone of the site.')),
    isMet: (first, { day }) => day >= first,
    covers: (above, one) => above <= one,
  }),
  to: row({
    name: 'to',
    schema: Nullable(Day('The last day of the orders.')),
    isMet: (last, { day }) => day <= last,
    covers: (above, one) => above >= one,
  }),
});

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
