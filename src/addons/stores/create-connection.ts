import Type from 'typebox';
import type { Transaction } from '../../db/database.ts';
import { actorId } from '../../kernel/declare/caller.ts';
import { ApiError, defineError, generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Nullable } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { emit } from '../../modules/events/index.ts';
import { randomBase62 } from '../../shared/secrets.ts';
import {
  checkCredentials,
  ConnectionName,
  Credentials,
  readUrl,
  requireKind,
  WebhookSecret,
} from './connection-input.ts';
import {
  countConnections,
  deleteConnectionRow,
  insertConnection,
  lockConnection,
  saveConnection,
  type ConnectionRow,
} from './connection-store.ts';
import {
  connectionExample,
  connectionFields,
  readConnection,
  StoreSteps,
  StoreWarnings,
} from './connection-wire.ts';
import { callStore, saveConnected } from './connect-store.ts';
import type { Connector, ConnectReport } from './connector.ts';
import { hasCredentials } from './open-connection.ts';
import { askStore, requireConnection, storeFailed } from './require-connection.ts';
import { decryptFrom, encryptFor } from './secret.ts';
import { storeConnected } from './store-events.ts';

const SECRET_LENGTH = 40;
const CONNECTIONS_MAX = 100;

export const tooManyConnections = defineError(
  'svc_api_too_many_connections',
  409,
  `There are ${CONNECTIONS_MAX} connected stores already. Delete one first.`,
);

const NewConnectionSchema = Type.Object(
  {
    ...connectionFields,
    webhook_secret: Nullable(
      Type.String({
        description:
          'The secret that signs deliveries. It is shown only once; null if the store makes it.',
      }),
    ),
    steps: StoreSteps,
    warnings: StoreWarnings,
  },
  {
    $id: 'NewStoreConnection',
    examples: [
      {
        ...connectionExample,
        last_delivery_at: null,
        last_order_at: null,
        last_reconciled_at: null,
        lag_s: null,
        webhook_secret: 'hV1q0rZcYw3k7Xb2mN9sTfL4uJ6gPdA8eRiQoCzK',
        steps: ['The credentials work.', 'Created 4 webhooks.'],
        warnings: ['Orders older than 60 days need the scope "read_all_orders".'],
      },
    ],
  },
);

export const createConnection = operation({
  method: 'POST',
  namespace: 'store',
  path: '/connections',
  summary: 'Connect a store',
  description:
    'With credentials, the store is called at once: they are checked, and its webhooks are created. Without them the ' +
    'connection only receives: enter `receiver_url` and `webhook_secret` in the store. The secret is shown only once.',
  access: 'plugin-admin',
  scope: 'manage',
  body: Type.Object(
    {
      kind: Type.String({
        maxLength: 40,
        description: 'The kind of store, such as `woocommerce` or `http`.',
        examples: ['http'],
      }),
      name: ConnectionName,
      url: Type.String({
        default: '',
        maxLength: 2_048,
        description: 'The address of the store, for the kinds that need it.',
      }),
      credentials: Type.Optional(Credentials),
      webhook_secret: Type.Optional(WebhookSecret),
    },
    { $id: 'ConnectStore' },
  ),
  example: {
    body: { kind: 'woocommerce', name: 'Outdoor shop', url: 'https://shop.example' },
  },
  status: 201,
  secretAnswer: true,
  response: NewConnectionSchema,
  errors: [tooManyConnections, storeFailed, generalErrors.noEntropy],
  // Calls the store, which must not happen inside a transaction.
  transaction: false,
  async handle({ site, caller }, input) {
    const connector = requireKind(site, input.kind);
    const { credentials = {} } = input;
    checkCredentials(connector, credentials);
    const url = readUrl(connector, input.url);
    const { kind, name, webhook_secret } = input;
    const given = { kind, name, url, credentials, secret: webhook_secret };
    const { id } = await site.database.transaction((tx) => insertStore(tx, site, connector, given));
    const report = await connect(site, connector, id);
    return site.database.transaction(async (tx) => {
      await lockConnection(tx, id);
      const row = await requireConnection(tx, id);
      if (report) await saveConnected(tx, site, connector, row, report);
      const connection = await requireConnection(tx, id);
      emitConnected(tx, site, connection, actorId(caller));
      return {
        ...(await readConnection(tx, site, connection)),
        webhook_secret: connector.storeMakesSecret
          ? null
          : decryptFrom(site, 'secret', connection) || null,
        steps: [...(report?.steps ?? [])],
        warnings: [...(report?.warnings ?? [])],
      };
    });
  },
});

interface NewStore {
  kind: string;
  name: string;
  url: string;
  credentials: Record<string, string>;
  secret?: string | undefined;
}

/** Until the store has been called, a connection with credentials counts as failed. */
export async function insertStore(
  tx: Transaction,
  site: Site,
  connector: Connector,
  { kind, name, url, credentials, secret = newSecret(connector) }: NewStore,
): Promise<ConnectionRow> {
  const hasAny = Object.keys(credentials).length > 0;
  await tx.lock('store connections');
  if ((await countConnections(tx)) >= CONNECTIONS_MAX) throw new ApiError(tooManyConnections);
  const state = hasAny ? 'failed' : 'receiving';
  const row = await insertConnection(tx, { kind, name, url, state, created_at: site.clock() });
  // The encryption is bound to the row's id, which is known only now.
  const connection: ConnectionRow = {
    ...row,
    reason: hasAny
      ? 'The store has not been called yet.'
      : 'The connection has no credentials: it only receives, and nothing is reconciled.',
    secret: encryptFor(site, 'secret', row.id, secret),
    credentials: hasAny ? encryptFor(site, 'credentials', row.id, JSON.stringify(credentials)) : '',
  };
  await saveConnection(tx, connection);
  return connection;
}

export function emitConnected(
  tx: Transaction,
  site: Site,
  { id, kind, name }: ConnectionRow,
  userId: number,
): void {
  emit(tx, storeConnected, {
    objectId: id,
    userId,
    info: `Store ${id} (${name}) was connected.`,
    data: { connection_id: id, kind },
    nowMs: site.clock(),
  });
}

export function newSecret({ makeSecret, storeMakesSecret }: Connector): string {
  if (makeSecret) return makeSecret();
  return storeMakesSecret ? '' : randomBase62(SECRET_LENGTH);
}

/** A store that cannot be called is not connected: nothing of it stays. */
async function connect(
  site: Site,
  connector: Connector,
  id: number,
): Promise<ConnectReport | undefined> {
  const connection = await requireConnection(site.database.read, id);
  if (!hasCredentials(connection)) return undefined;
  try {
    return await askStore(() => callStore(site, connector, connection));
  } catch (error) {
    await site.database.transaction((tx) => deleteConnectionRow(tx, id));
    throw error;
  }
}
