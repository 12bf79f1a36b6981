import { sql } from 'kysely';
import type { Transaction } from '../../src/db/database.ts';
import { insertRow, readAll, readOne } from '../../src/db/statements/calls.ts';

const ONE = 'commission.renewals';
const VERSION = 'rewards.version';
const kinds = [
  { kind: 'woocommerce', name: 'WooCommerce' },
  { kind: 'stripe', name: 'Stripe' },
] as const;
const keyOf = ({ kind }: { kind: string }) => `stores.${kind}.renewals`;

const readSettings = readAll<object, { key: string; value: string }>((db) =>
  db
    .selectFrom('settings')
    .select(['key', 'value'])
    .where(
      'key',
      'in',
      [ONE, VERSION, ...kinds.map(keyOf)].map((key) => sql.lit(key)),
    ),
);

const saveSetting = insertRow<{ key: string; value: string; updated_at: number }>((db, row) => {
  const version = sql<number>`(select coalesce(max(version), 0) + 1 from settings)`;
  return db
    .insertInto('settings')
    .values({ ...row, version })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ ...row, version }));
});

const readStores = readAll<object, { id: number; kind: string }>((db) =>
  db
    .selectFrom('store_connections')
    .select(['id', 'kind'])
    .where('state', '!=', sql.lit('deleted'))
    .orderBy('id'),
);

const lastPosition = readOne<object, { position: number }>((db) =>
  db
    .selectFrom('reward_rules')
    .select((eb) => eb.fn.coalesce(eb.fn.max('position'), sql.lit(0)).as('position')),
);

const insertRule = insertRow<{
  position: number;
  content: string;
  version: number;
  created_at: number;
  updated_at: number;
}>((db, row) => db.insertInto('reward_rules').values(row));

/**
 * Each kind of store had a setting for renewals; now there is one for all. It gets the more generous value of them,
 * and a rule after all others excludes the renewals of connected stores of a kind that let none earn.
 */
export async function joinRenewals(tx: Transaction): Promise<void> {
  await tx.lock('settings');
  const stored = new Map((await readSettings(tx)).map(({ key, value }) => [key, value]));
  if (stored.has(ONE) || !kinds.some((one) => stored.has(keyOf(one)))) return;
  const chosen = kinds.map((one) => ({
    ...one,
    months: monthsOf(String(JSON.parse(stored.get(keyOf(one)) ?? '"once"'))),
  }));
  const most = Math.max(...chosen.map(({ months }) => months));
  const value = most === Infinity ? 'always' : most === 0 ? 'once' : String(most);
  const nowMs = Date.now();
  await saveSetting(tx, { key: ONE, value: JSON.stringify(value), updated_at: nowMs });
  // Only one of them can be: the other has the value that is more generous.
  const strict = chosen.find(({ months }) => most > 0 && months === 0);
  const stores = (await readStores(tx)).filter(({ kind }) => kind === strict?.kind);
  if (!strict || stores.length === 0) return;
  const version = Number(stored.get(VERSION) ?? 0) + 1;
  const { position } = await lastPosition(tx);
  const rule = {
    name: `Renewals of ${strict.name}`,
    active: true,
    who: {},
    what: {},
    order: { payment: 'renewal', stores: stores.map(({ id }) => id) },
    from: null,
    to: null,
    rate: { excluded: true },
    limit: null,
    // It needs not be for running subscriptions: no payment from before has terms, so their renewals have those of now.
    running: false,
  };
  const content = JSON.stringify(rule);
  const times = { created_at: nowMs, updated_at: nowMs };
  await insertRule(tx, { position: Number(position) + 1, content, version, ...times });
  await saveSetting(tx, { key: VERSION, value: JSON.stringify(version), updated_at: nowMs });
}

/** For how many months renewals earn. */
function monthsOf(value: string): number {
  if (value === 'always') return Infinity;
  return value === 'once' ? 0 : Number(value);
}
