import Type, { type Static } from 'typebox';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id, Nullable, StringEnum } from '../../../src/kernel/declare/schemas.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { sequenceEvents } from '../../../src/modules/events/index.ts';
import { HOUR_MS } from '../../../src/shared/durations.ts';
import type { Connector, ConnectReport } from '../connectors/connector.ts';
import { beginCoupons } from '../coupons/coupon-cursor.ts';
import { announceSecret } from './announce-secret.ts';
import { newSecret, RECEIVES_ONLY } from './claim-store.ts';
import { callStore, saveConnected } from './connect-store.ts';
import {
  checkCredentials,
  ConnectionName,
  Credentials,
  OVERLAP_HOURS_MAX,
  readUrl,
  WebhookSecret,
} from './connection-input.ts';
import {
  lockConnection,
  saveConnection,
  type ConnectionRow,
  type StoreIdentity,
} from './connection-rows.ts';
import {
  connectionExample,
  connectionFields,
  CouponDiscount,
  ExchangeRates,
  readConnection,
  StoreWarnings,
} from './connection-wire.ts';
import { credentialsOf, hasCredentials } from './open-connection.ts';
import {
  askStore,
  kindNotLoaded,
  requireConnection,
  requireConnector,
  storeFailed,
} from './require-connection.ts';
import { decryptFrom, encryptFor } from './secret.ts';
import {
  identify,
  identityOf,
  lockIdentities,
  refuseOtherAccount,
  refuseSameStore,
  storeIsConnected,
} from './store-identity.ts';

const ChangedConnectionSchema = Type.Object(
  {
    ...connectionFields,
    webhook_secret: Type.Optional(
      Type.String({ description: 'The new secret, if one was requested. It is shown only once.' }),
    ),
    steps: Type.Array(Type.String(), {
      description: 'The checks and changes made with new credentials, in sentences.',
    }),
    warnings: StoreWarnings,
  },
  { $id: 'ChangedStoreConnection', examples: [{ ...connectionExample, steps: [], warnings: [] }] },
);

const Changes = Type.Object(
  {
    name: Type.Optional(ConnectionName),
    url: Type.Optional(
      Type.String({
        maxLength: 2_048,
        description: 'The new address of a store that has moved. Its orders stay.',
      }),
    ),
    state: Type.Optional(
      StringEnum(['active', 'paused'], {
        description: 'Paused: deliveries are kept and processed later, and nothing is reconciled.',
      }),
    ),
    credentials: Type.Optional(Credentials),
    webhook_secret: Type.Optional(WebhookSecret),
    new_secret: Type.Optional(
      Type.Object(
        {
          overlap_hours: Type.Integer({
            minimum: 0,
            maximum: OVERLAP_HOURS_MAX,
            default: 24,
            description: 'How long the previous secret is accepted too.',
          }),
        },
        { description: 'Makes a new secret for deliveries.' },
      ),
    ),
    exchange_rates: Type.Optional(ExchangeRates),
    coupon_discount: Type.Optional(Nullable(CouponDiscount)),
  },
  { $id: 'ChangeStoreConnection' },
);
type Changed = Static<typeof Changes>;

export const changeConnection = operation({
  method: 'PATCH',
  namespace: 'store',
  path: '/connections/{id}',
  summary: 'Change a connected store',
  description:
    'New credentials and a new address are checked by calling the store; empty credentials remove them. A new secret is passed on to a ' +
    'store with credentials. `exchange_rates` replaces all rates: failed deliveries in these currencies can then be ' +
    'retried. With `coupon_discount`, codes that are created or disabled here are created or paused in the store.',
  access: 'plugin-admin',
  scope: 'manage',
  proof: true,
  params: Type.Object({ id: Id('The connection.') }),
  body: Changes,
  example: {
    body: { exchange_rates: { GBP: 1.27 } },
    response: { exchange_rates: { GBP: 1.27 } },
  },
  response: ChangedConnectionSchema,
  errors: [
    generalErrors.notFound,
    generalErrors.noEntropy,
    kindNotLoaded,
    storeIsConnected,
    storeFailed,
  ],
  // Calls the store, which must not happen inside a transaction.
  transaction: false,
  async handle({ db, site }, { id, ...input }) {
    const stored = await requireConnection(db, id);
    const connector = requireConnector(site, stored);
    if (input.credentials) checkCredentials(connector, input.credentials);
    const url = input.url === undefined ? stored.url : readUrl(connector, input.url);
    const before = { ...stored, url };
    const identity = await newIdentity(site, connector, stored, { ...input, url });
    const secret = input.new_secret ? newSecret(connector) : input.webhook_secret;
    // What does not work must not replace what does.
    const report = await tryAccess(site, connector, before, input, secret);
    // Coupons that were created before are not for this store.
    if (input.coupon_discount) await sequenceEvents(site.database);
    return site.database.transaction(async (tx) => {
      if (identity) await lockIdentities(tx);
      await lockConnection(tx, id);
      const row = changed(site, await requireConnection(tx, id), input, secret);
      if (identity) await identify(tx, { ...row, url, ...identity });
      if (report) await saveConnected(tx, { site, connector, connection: row }, report);
      else await saveConnection(tx, row);
      if (secret !== undefined) await announceSecret(tx, site, row);
      if (input.coupon_discount) await beginCoupons(tx);
      return {
        ...(await readConnection(tx, site, await requireConnection(tx, id))),
        ...(input.new_secret && secret && { webhook_secret: secret }),
        steps: [...(report?.steps ?? [])],
        warnings: [...(report?.warnings ?? [])],
      };
    });
  },
});

/** What tells the store apart with its new address or credentials; undefined if there are none. */
async function newIdentity(
  site: Site,
  connector: Connector,
  stored: ConnectionRow,
  { url, credentials }: Changed & { url: string },
): Promise<StoreIdentity | undefined> {
  if (url === stored.url && credentials === undefined) return undefined;
  const access = { url, credentials: credentials ?? credentialsOf(site, stored) };
  // A store that is another one at the same address stays another one.
  const host = url === stored.url ? stored.host : undefined;
  const found = await askStore(() => identityOf(site, connector, access, host));
  refuseOtherAccount(stored, found);
  const identity = { ...found, account: found.account ?? stored.account };
  // Before the store is called: its webhooks must not change for a request that is refused.
  await refuseSameStore(site.database.read, stored, identity);
  return identity;
}

/** Calls the store with new credentials, or passes a new secret on to it; undefined if there are neither. */
async function tryAccess(
  site: Site,
  connector: Connector,
  before: ConnectionRow,
  { url, credentials, new_secret }: Changed,
  secret = '',
): Promise<ConnectReport | undefined> {
  const isNew = credentials !== undefined && Object.keys(credentials).length > 0;
  const isAsked = !credentials && hasCredentials(before);
  const isPassedOn = new_secret && secret !== '' && isAsked;
  if (!isNew && !isPassedOn && !(url !== undefined && isAsked)) return undefined;
  const tried = {
    ...before,
    ...(isNew && { credentials: encrypted(site, before.id, credentials) }),
    ...(secret !== '' && { secret: encryptFor(site, 'secret', before.id, secret) }),
  };
  return askStore(() => callStore({ site, connector, connection: tried }));
}

function changed(
  site: Site,
  row: ConnectionRow,
  input: Changed,
  secret: string | undefined,
): ConnectionRow {
  const { name, exchange_rates, coupon_discount } = input;
  const next: ConnectionRow = {
    ...row,
    ...(name !== undefined && { name }),
    ...(exchange_rates && { exchange_rates: JSON.stringify(exchange_rates) }),
    ...(coupon_discount !== undefined && {
      coupon_discount: coupon_discount === null ? '' : JSON.stringify(coupon_discount),
    }),
    ...(input.credentials && {
      credentials: encrypted(site, row.id, input.credentials),
      limits: '[]',
    }),
    ...(secret !== undefined &&
      withSecret(site, row, secret, input.new_secret?.overlap_hours ?? 0)),
  };
  return { ...next, ...stateOf(next, input.state) };
}

function encrypted(site: Site, id: number, credentials: Record<string, string>): string {
  const isEmpty = Object.keys(credentials).length === 0;
  return isEmpty ? '' : encryptFor(site, 'credentials', id, JSON.stringify(credentials));
}

function withSecret(site: Site, row: ConnectionRow, secret: string, overlapHours: number) {
  const previous = overlapHours > 0 ? decryptFrom(site, 'secret', row) : '';
  return {
    secret: encryptFor(site, 'secret', row.id, secret),
    previous_secret: encryptFor(site, 'previous_secret', row.id, previous),
    previous_until: site.clock() + overlapHours * HOUR_MS,
  };
}

/** What changes with the state. An active connection that was paused works until the store says otherwise. */
function stateOf(row: ConnectionRow, wanted: Changed['state']): Partial<ConnectionRow> {
  const unreported = { failing_since: null, reported_since: null };
  if (wanted === 'paused') {
    const why = 'Paused: deliveries are kept, and processed when the connection is active again.';
    return { state: 'paused', reason: why, ...unreported };
  }
  if (row.state === 'paused' && wanted === undefined) return {};
  if (!hasCredentials(row)) return { state: 'receiving', reason: RECEIVES_ONLY, ...unreported };
  if (row.state !== 'paused' && row.state !== 'receiving') return {};
  return { state: 'connected', reason: '', failing_since: null };
}
