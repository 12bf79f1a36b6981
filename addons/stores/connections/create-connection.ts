import Type from 'typebox';
import { actorId } from '../../../src/kernel/declare/caller.ts';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Nullable } from '../../../src/kernel/declare/schemas.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import type { Connector, ConnectReport } from '../connectors/connector.ts';
import { announceConnected } from './announce-connected.ts';
import { claimStore, takeOver, tooManyConnections, type ClaimedStore } from './claim-store.ts';
import { callStore, saveConnected } from './connect-store.ts';
import {
  Another,
  checkAnswer,
  checkCredentials,
  ConnectionName,
  Credentials,
  readUrl,
  Replace,
  requireKind,
  WebhookSecret,
} from './connection-input.ts';
import { deleteConnectionRow, lockConnection } from './connection-rows.ts';
import {
  connectionExample,
  connectionFields,
  readConnection,
  StoreSteps,
  StoreWarnings,
} from './connection-wire.ts';
import { hasCredentials } from './open-connection.ts';
import { askStore, requireConnection, storeFailed } from './require-connection.ts';
import { decryptFrom } from './secret.ts';
import { identityOf, storeIsConnected } from './store-identity.ts';

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
    'With credentials, the store is called immediately: they are checked, and its webhooks are created. Without them the ' +
    'connection only receives: enter `receiver_url` and `webhook_secret` in the store. The secret is shown only once. ' +
    'A store that is connected already is refused with 409, because its orders would count twice; `replace` takes ' +
    'that connection over with its orders, and `another` connects a store of its own. A store that was connected before continues with its orders, too.',
  access: 'plugin-admin',
  scope: 'manage',
  proof: true,
  body: Type.Object(
    {
      kind: Type.String({
        maxLength: 40,
        description: 'The kind of store, such as `woocommerce` or `http`.',
        examples: ['http'],
      }),
      name: Type.Optional(ConnectionName),
      url: Type.String({
        default: '',
        maxLength: 2_048,
        description: 'The address of the store, for the kinds that need it.',
      }),
      credentials: Type.Optional(Credentials),
      webhook_secret: Type.Optional(WebhookSecret),
      replace: Replace,
      another: Another,
    },
    { $id: 'ConnectStore' },
  ),
  example: {
    body: { kind: 'woocommerce', name: 'Outdoor shop', url: 'https://shop.example' },
  },
  status: 201,
  secretAnswer: true,
  response: NewConnectionSchema,
  errors: [tooManyConnections, storeIsConnected, storeFailed, generalErrors.noEntropy],
  // Calls the store, which must not happen inside a transaction.
  transaction: false,
  async handle({ site, caller }, input) {
    const connector = requireKind(site, input.kind);
    const { credentials = {} } = input;
    checkAnswer(input);
    checkCredentials(connector, credentials);
    const url = readUrl(connector, input.url);
    const given = {
      kind: input.kind,
      name: input.name,
      url,
      credentials,
      secret: input.webhook_secret,
      ...(await askStore(() =>
        identityOf(site, connector, { url, credentials }, input.another ? null : undefined),
      )),
    };
    const claimed = await site.database.transaction((tx) =>
      claimStore(tx, site, connector, given, input.replace),
    );
    const report = await connect(site, connector, claimed);
    const { id } = claimed.row;
    return site.database.transaction(async (tx) => {
      if (claimed.isTakenOver) await takeOver(tx, claimed.row);
      else await lockConnection(tx, id);
      const row = await requireConnection(tx, id);
      if (report) await saveConnected(tx, { site, connector, connection: row }, report);
      const connection = await requireConnection(tx, id);
      await announceConnected(tx, site, connection, actorId(caller));
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

/** A store that cannot be called is not connected, and one that works stays as it is. */
async function connect(
  site: Site,
  connector: Connector,
  { row, isTakenOver }: ClaimedStore,
): Promise<ConnectReport | undefined> {
  if (!hasCredentials(row)) return undefined;
  try {
    return await askStore(() => callStore({ site, connector, connection: row }));
  } catch (error) {
    if (!isTakenOver)
      await site.database.transaction((tx) => deleteConnectionRow(tx, { id: row.id }));
    throw error;
  }
}
