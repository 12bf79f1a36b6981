import Type, { type Static } from 'typebox';
import type { Reader } from '../../../src/db/database.ts';
import { LocalTime, Nullable, StringEnum } from '../../../src/kernel/declare/schemas.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { Discount } from '../../../src/modules/groups/index.ts';
import { listFailedCoupons } from '../coupons/coupon-rows.ts';
import { tellNotShown } from '../orders/orders-not-shown.ts';
import { findSync, type SyncRow } from '../sync/sync-rows.ts';
import { connectionStates, type ConnectionState } from '../tables.ts';
import type { ConnectionRow } from './connection-rows.ts';
import { hasCredentials, receiverUrl } from './open-connection.ts';

const COUPON_ERRORS_MAX = 20;

export const CouponDiscount = Type.Object(Discount.properties, {
  description:
    'The discount of codes that are created in the store; null creates none there. A coupon, or a group of its ' +
    'affiliate, may have another one.',
});

export const ExchangeRates = Type.Record(
  Type.String({ pattern: '^[A-Z]{3}$' }),
  Type.Number({ exclusiveMinimum: 0, maximum: 1e9 }),
  {
    maxProperties: 200,
    description:
      "By currency, what one unit is worth in the site's currency. They apply to new orders that bring no rate; an order " +
      'keeps the one that it was first stored with.',
  },
);

const ImportSchema = Type.Object({
  state: StringEnum(['running', 'done'], { description: 'Shows if it is still running.' }),
  since: LocalTime('Orders that changed since then are read.'),
  read: Type.Integer({ description: 'Orders read so far.' }),
  changed: Type.Integer({ description: 'Of these, orders that were new or changed.' }),
  total: Nullable(Type.Integer({ description: 'All orders to read, if the store says so.' })),
  date_finished: Nullable(LocalTime('When it ended.')),
});

export const connectionFields = {
  id: Type.Integer({ description: 'The id of the connection.' }),
  kind: Type.String({ description: 'The kind of store.' }),
  name: Type.String({ description: 'A label of your choice.' }),
  url: Type.String({ description: 'The address of the store; empty for a kind without one.' }),
  state: StringEnum(connectionStates, {
    description:
      '`connected`: everything works; `receiving`: without credentials, so nothing is reconciled; `degraded`: ' +
      'something does not work at the moment; `failed`: the store refuses the credentials; `paused`: deliveries are ' +
      'kept and processed later.',
  }),
  reason: Type.String({ description: 'A sentence about the state; empty if all is well.' }),
  receiver_url: Type.String({ description: 'Where the store sends its deliveries.' }),
  has_credentials: Type.Boolean({ description: "Whether the store's API can be called." }),
  webhooks_active: Nullable(
    Type.Boolean({ description: "Whether the store's webhooks are active; null if unknown." }),
  ),
  last_delivery_at: Nullable(LocalTime('When the last delivery arrived that was processed.')),
  last_order_at: Nullable(LocalTime('When an order was last stored or changed.')),
  last_reconciled_at: Nullable(LocalTime('When the store was last read completely.')),
  lag_s: Nullable(
    Type.Integer({ description: 'Seconds since the store was last read completely.' }),
  ),
  catching_up: Type.Boolean({
    description:
      'True if the service has not compared with the store since its start: orders may be missing.',
  }),
  missed_found: Type.Integer({
    description: 'Orders that reconciling found and no delivery had brought.',
  }),
  limits: Type.Array(Type.String(), {
    description: 'What the store does not show or allow, and what follows from it, in sentences.',
  }),
  not_shown: Type.String({
    description:
      'Stored orders that the store says it does not have, in a sentence; empty if there are none. They keep their ' +
      'state.',
  }),
  rejected: Type.Integer({
    description: 'Deliveries with a wrong signature; at most 60 per minute are counted.',
  }),
  rejected_reason: Type.String({
    description: 'Why the last one was rejected; empty if none was.',
  }),
  exchange_rates: ExchangeRates,
  coupon_discount: Nullable(CouponDiscount),
  coupon_errors: Type.Array(
    Type.Object({
      code: Type.String({ description: 'The code.' }),
      error: Type.String({ description: 'Why the store does not have it, in a sentence.' }),
    }),
    { description: 'The newest codes that could not be created or paused in the store.' },
  ),
  import: Nullable(ImportSchema),
  date_created: LocalTime('When it was created.'),
};

export const StoreSteps = Type.Array(Type.String(), {
  description: 'The checks and changes, in sentences.',
});

export const StoreWarnings = Type.Array(Type.String(), {
  description: 'Limitations and their consequences, in sentences.',
});

export const connectionExample = {
  id: 3,
  kind: 'woocommerce',
  name: 'Outdoor shop',
  url: 'https://shop.example',
  state: 'connected',
  reason: '',
  receiver_url: 'https://partners.example/connect/woocommerce/3',
  has_credentials: true,
  webhooks_active: true,
  last_delivery_at: '2026-02-24T10:02:11',
  last_order_at: '2026-02-24T10:02:12',
  last_reconciled_at: '2026-02-24T10:00:03',
  lag_s: 131,
  catching_up: false,
  missed_found: 0,
  limits: [],
  not_shown: '',
  rejected: 0,
  rejected_reason: '',
  exchange_rates: {},
  coupon_discount: null,
  coupon_errors: [],
  import: null,
  date_created: '2026-02-24T09:12:40',
};

export const ConnectionSchema = Type.Object(connectionFields, {
  $id: 'StoreConnection',
  examples: [connectionExample],
});

type Connection = Static<typeof ConnectionSchema>;

/** A connection as of now. */
export async function readConnection(
  db: Reader,
  site: Site,
  row: ConnectionRow,
): Promise<Connection> {
  const { calendar } = site;
  const [reconciling, importing, couponErrors, notShown] = await Promise.all([
    findSync(db, { connection_id: row.id, task: 'reconcile' }),
    findSync(db, { connection_id: row.id, task: 'import' }),
    listFailedCoupons(db, { connection_id: row.id, limit: COUPON_ERRORS_MAX }),
    tellNotShown(db, site, row),
  ]);
  const readAt = reconciling?.finished_at ?? null;
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    url: row.url,
    // A deleted connection is never read.
    state: row.state as ConnectionState,
    reason: row.reason,
    receiver_url: receiverUrl(site, row),
    has_credentials: hasCredentials(row),
    webhooks_active: row.webhooks_active === null ? null : row.webhooks_active === 1,
    last_delivery_at: calendar.toLocal(row.last_delivery_at),
    last_order_at: calendar.toLocal(row.last_order_at),
    last_reconciled_at: calendar.toLocal(readAt),
    lag_s: readAt === null ? null : Math.max(0, Math.round((site.clock() - readAt) / 1000)),
    catching_up: reconciling?.catching_up === 1,
    missed_found: row.missed_found,
    // The list was stored by this add-on.
    limits: JSON.parse(row.limits) as string[],
    not_shown: notShown,
    rejected: row.rejected,
    rejected_reason: row.rejected_reason,
    // The rates were checked when they were set.
    exchange_rates: JSON.parse(row.exchange_rates) as Record<string, number>,
    coupon_discount: discountOf(row),
    coupon_errors: couponErrors,
    import: importing ? toImport(importing, site) : null,
    date_created: calendar.toLocal(row.created_at),
  };
}

/** The discount of codes that are created in the store; null if none are. */
export function discountOf({
  coupon_discount,
}: ConnectionRow): Static<typeof CouponDiscount> | null {
  // The value was checked when it was set.
  return coupon_discount === ''
    ? null
    : (JSON.parse(coupon_discount) as Static<typeof CouponDiscount>);
}

function toImport(row: SyncRow, { calendar }: Site): Static<typeof ImportSchema> {
  return {
    state: row.due_at === null ? 'done' : 'running',
    since: calendar.toLocal(row.since_at),
    read: row.done,
    changed: row.changed,
    // Orders that are placed during the import are read, too.
    total: row.total === null ? null : Math.max(row.total, row.done),
    date_finished: row.due_at === null ? calendar.toLocal(row.finished_at) : null,
  };
}
