import Type from 'typebox';
import { query } from '../../../db/statements/query.ts';
import { coerce } from '../../../kernel/call/coerce.ts';
import { invoke } from '../../../kernel/call/invoke.ts';
import { ApiError } from '../../../kernel/declare/errors.ts';
import type { Operation } from '../../../kernel/declare/operation.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { foldAddress } from '../../../shared/email-address.ts';
import { createAffiliate } from '../../affiliates/index.ts';
import { createCoupon, foldCode } from '../../coupons/index.ts';
import { decideHistory, orderFields, storeBatch } from '../../orders/index.ts';
import { findUserByName } from '../../users/index.ts';

/** How the cells of a CSV file are read. */
export interface CsvShape {
  readonly columns: readonly string[];
  /** Reads the non-empty cells. Throws an error with a readable message. */
  toValue(cells: Record<string, string>): unknown;
}

/** What a line has created, for an undo: a user with its coupons, a coupon of a user, or an order. */
export interface Created {
  readonly userId: number | undefined;
  readonly isNewUser: boolean;
  readonly couponIds: readonly number[];
  readonly orderId?: number;
}

interface OpenOptions {
  readonly dryRun: boolean;
  readonly onCreated?: (created: Created) => void;
}

/** The result of a line: new, already present, or the reason of the refusal. */
export type Outcome = 'new' | 'known' | { readonly refused: string };

/** A kind of record that can be imported. */
export interface ImportKind extends CsvShape {
  /** Number of lines per batch. */
  readonly batch: number;
  /** Creates the importer. It returns one outcome per line, in order. */
  open(site: Site, options: OpenOptions): (values: unknown[]) => Promise<Outcome[]>;
  /** Called when all lines are stored. What breaks off before is finished by a job. */
  readonly finish?: (site: Site) => Promise<void>;
}

type Values = Record<string, unknown>;

const OrderSchema = Type.Object({ order_id: Type.Integer(), ...orderFields });

const orders: ImportKind = {
  batch: 500,
  columns: [...Object.keys(OrderSchema.properties), 'customer_id', 'customer_email'],
  toValue({ customer_id, customer_email, coupon_codes, ...cells }) {
    const { items, refunds, customer, subscription, ...rest } = cells;
    return coerce(OrderSchema, {
      ...rest,
      ...(coupon_codes && { coupon_codes: coupon_codes.split(/[\s|]+/).filter(Boolean) }),
      ...json('items', items),
      ...json('refunds', refunds),
      ...json('customer', customer),
      ...json('subscription', subscription),
      ...((customer_id || customer_email) && {
        customer: {
          ...(customer_id && { id: customer_id }),
          ...(customer_email && { email: customer_email.trim() }),
        },
      }),
    });
  },
  open:
    (site, { onCreated }) =>
    async (values) => {
      if (values.length === 0) return [];
      // Lines may be in any order: what they earn is decided when all are stored, oldest first.
      const results: Result[] = await site.database.transaction((tx) =>
        storeBatch(tx, site, values, { actorId: 0, nowMs: site.clock() }, { isHistory: true }),
      );
      return results.map((result) => {
        if (result.status === 201) {
          const nothing = { userId: undefined, isNewUser: false, couponIds: [] };
          onCreated?.({ ...nothing, orderId: Number(result.order_id) });
          return 'new';
        }
        return result.status === 200
          ? 'known'
          : { refused: reasonOf(result.message!, result.params, result.invalid) };
      });
    },
  finish: (site) => decideHistory(site, null),
};

interface Result {
  order_id: unknown;
  status: number;
  message?: string;
  params?: unknown;
  invalid?: unknown;
}

const PROFILE = ['phone', 'website', 'promote', 'referrer'] as const;

const affiliates: ImportKind = {
  batch: 64,
  columns: ['login', 'email', 'display_name', 'password', 'groups', 'coupon_code', ...PROFILE],
  toValue({ groups, coupon_code, phone, website, promote, referrer, ...rest }) {
    return {
      ...rest,
      ...(groups && { groups: groups.split('|').map((name) => name.trim()) }),
      ...(coupon_code && { coupon: { code: coupon_code } }),
      profile: given({ phone, website, promote, referrer }),
    };
  },
  open: (site, { dryRun, onCreated }) =>
    oneByOne<NewAffiliate>(site, createAffiliate, {
      dryRun,
      onCreated: ({ id, coupons: own }) =>
        onCreated?.({ userId: id, isNewUser: true, couponIds: own.map((coupon) => coupon.id) }),
      prepare: async (values) => values,
      namesOf: ({ login, email }) => [
        `login ${fold(login)}`,
        `email ${foldAddress(String(email ?? ''))}`,
      ],
      async isKnown({ login, email }) {
        const user = await findUserByName(site.database.read, String(login));
        return (
          user?.login_folded === fold(login) &&
          user.email_folded === foldAddress(String(email ?? ''))
        );
      },
    }),
};

const couponOf = query<{ code_folded: string; owner: number }, { id: number }>((db, p) =>
  db
    .selectFrom('coupons')
    .select('id')
    .where('code_folded', '=', p.code_folded)
    .where((eb) => eb(eb.fn.coalesce('user_id', eb.lit(0)), '=', p.owner))
    .limit(1),
);

const coupons: ImportKind = {
  batch: 64,
  columns: ['code', 'user_id', 'user', 'percent_override', 'fixed_per_order', 'fixed_per_product'],
  toValue: (cells) => cells,
  open: (site, { dryRun, onCreated }) =>
    oneByOne<NewCoupon>(site, createCoupon, {
      dryRun,
      onCreated: ({ id, user }) =>
        onCreated?.({ userId: user?.id, isNewUser: false, couponIds: [id] }),
      async prepare({ user, ...values }) {
        if (user === undefined) return values;
        const owner = await findUserByName(site.database.read, String(user));
        if (!owner)
          throw new LineError(`user: there is no login or email address "${String(user)}"`);
        return { ...values, user_id: owner.id };
      },
      namesOf: ({ code, user_id }) => [`${fold(code)} ${Number(user_id ?? 0)}`],
      async isKnown({ code, user_id }) {
        const owner = Number(user_id ?? 0);
        if (typeof code !== 'string' || !Number.isSafeInteger(owner)) return false;
        const found = await site.database.read.first(couponOf, {
          code_folded: foldCode(code),
          owner,
        });
        return found !== undefined;
      },
    }),
};

export const importKinds = { orders, affiliates, coupons };

interface NewAffiliate {
  id: number;
  coupons: { id: number }[];
}

interface NewCoupon {
  id: number;
  user: { id: number } | null;
}

interface OneByOne<T> {
  dryRun: boolean;
  onCreated(created: T): void;
  /** Throws a LineError when the line cannot be used. */
  prepare(values: Values): Promise<Values>;
  /** Unique values: a line that shares one with an earlier line is imported after it. */
  namesOf(values: Values): string[];
  isKnown(values: Values): Promise<boolean>;
}

class LineError extends Error {}

/** Calls one operation per line. Independent lines share a commit. */
function oneByOne<T>(
  site: Site,
  operation: Operation<T>,
  how: OneByOne<T>,
): ReturnType<ImportKind['open']> {
  /** A dry run stores nothing, so it remembers what earlier lines would have created. */
  const rehearsed = new Set<string>();

  async function take(values: Values, names: string[]): Promise<Outcome> {
    const taken = names.filter((name) => rehearsed.has(name));
    if (taken.length === names.length) return 'known';
    if (taken.length > 0) return { refused: 'An earlier line has the same login or address.' };
    if (await how.isKnown(values)) return 'known';
    how.onCreated(await invoke<T>(site, operation, values));
    if (how.dryRun) for (const name of names) rehearsed.add(name);
    return 'new';
  }

  return async (lines) => {
    const outcomes: Promise<Outcome>[] = [];
    let waiting = new Set<string>();
    for (const line of lines) {
      try {
        if (!isRecord(line)) throw new LineError('must be an object');
        const values = await how.prepare(line);
        const names = how.namesOf(values);
        if (names.some((name) => waiting.has(name))) {
          await Promise.all(outcomes);
          waiting = new Set();
        }
        for (const name of names) waiting.add(name);
        outcomes.push(take(values, names).catch(refusal));
      } catch (error) {
        outcomes.push(Promise.resolve(refusal(error)));
      }
    }
    return Promise.all(outcomes);
  };
}

function refusal(error: unknown): Outcome {
  if (error instanceof LineError) return { refused: error.message };
  if (!(error instanceof ApiError)) throw error;
  return { refused: reasonOf(error.message, error.data['params'], error.data['invalid']) };
}

/** Every invalid field with its reason. */
function reasonOf(message: string, ...details: unknown[]): string {
  const errors = details.filter(isRecord).flatMap(Object.entries);
  if (errors.length === 0) return message;
  return [
    ...(message.startsWith('Missing') ? [message] : []),
    ...errors.map(([name, reason]) => `${name} ${String(reason)}`),
  ].join('; ');
}

function json(name: string, cell: string | undefined): Values {
  if (cell === undefined) return {};
  try {
    return { [name]: JSON.parse(cell) as unknown };
  } catch {
    throw new Error(`${name} is not JSON`);
  }
}

function isRecord(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function given(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** Logins, addresses and codes are case-insensitive. */
function fold(value: unknown): string {
  return String(value ?? '').toLowerCase();
}
