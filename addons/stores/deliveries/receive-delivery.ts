import { createHash } from 'node:crypto';
import Type from 'typebox';
import { WINDOW_MS } from '../../../src/kernel/call/rate-limit.ts';
import { ApiError, defineError, generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation, type RequestFacts } from '../../../src/kernel/declare/operation.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import {
  countRejected,
  findConnection,
  type ConnectionRow,
} from '../connections/connection-rows.ts';
import { verificationOf } from '../connections/open-connection.ts';
import { deliveriesTotal } from '../connections/store-metrics.ts';
import type { Connector, Verdict } from '../connectors/connector.ts';
import { findConnector } from '../connectors/connectors.ts';
import { deliveriesPerMinute } from '../settings.ts';
import { deliveryAdmission } from './delivery-admission.ts';
import { keepDeliveries } from './delivery-rows.ts';
import { toStoredBody } from './stored-body.ts';

const BODY_BYTES_MAX = 2 * 1024 * 1024;
/** Of a flood of forged deliveries only so many per minute are counted on the connection. */
const REJECTED_PER_MINUTE = 60;
const TEXT_LENGTH_MAX = 200;

export const wrongSignature = defineError(
  'svc_api_wrong_signature',
  401,
  'The signature of the delivery is missing or wrong.',
);

export const receiveDelivery = operation({
  method: 'POST',
  namespace: 'site',
  path: '/connect/{kind}/{connection_id}',
  summary: 'Receive a delivery of a connected store',
  description:
    'Called by the store, with a signature over the body. The delivery is kept and processed in the background.',
  access: 'public',
  scope: null,
  params: Type.Object({
    kind: Type.String({ description: 'The kind of store.' }),
    connection_id: Id('The connection.'),
  }),
  rawBody: {
    bytesMax: BODY_BYTES_MAX,
    admit: (site, { network, params, bytes }) =>
      deliveryAdmission(site).admit({ network, connection: params['connection_id']! }, bytes),
  },
  // Each connection has a limit of its own.
  unlimited: true,
  response: Type.Object(
    { received: Type.Boolean({ description: 'Always true.' }) },
    { $id: 'StoreDeliveryReceived', examples: [{ received: true }] },
  ),
  errors: [generalErrors.notFound, wrongSignature],
  // Deliveries that arrive at the same moment are kept in one transaction.
  transaction: false,
  async handle({ site, request }, { kind, connection_id }) {
    const connection = await findConnection(site.database.read, connection_id);
    const connector = findConnector(site, kind);
    const sender = { network: request.network, connection: String(connection_id) };
    const noteRefused = () => deliveryAdmission(site).noteRefused(sender, request.body.length);
    if (!connector || connection?.kind !== kind) {
      noteRefused();
      throw new ApiError(generalErrors.notFound);
    }
    const verdict = verify(site, connector, connection, request);
    if (verdict.outcome === 'refused') {
      noteRefused();
      deliveriesTotal.increment(site, { outcome: 'rejected' });
      await reject(site, connection, verdict.reason);
      throw new ApiError(wrongSignature);
    }
    if (verdict.outcome === 'ping') return { received: true };
    const limit = site.settings.get(deliveriesPerMinute);
    const { allowed } = await site.limits.take(`store ${connection.id}`, limit);
    if (!allowed) {
      throw new ApiError(generalErrors.rateLimited, { data: { retry_after: WINDOW_MS / 1000 } });
    }
    await keep(site, connector, connection, request, verdict);
    deliveriesTotal.increment(site, { outcome: 'kept' });
    return { received: true };
  },
});

function verify(
  site: Site,
  connector: Connector,
  connection: ConnectionRow,
  { headers, body }: RequestFacts,
): Verdict {
  try {
    return connector.verify({ headers, body }, verificationOf(site, connection));
  } catch (error) {
    site.log.error(
      { err: error, kind: connector.kind },
      'a delivery of a store could not be verified',
    );
    return { outcome: 'refused', reason: 'The delivery could not be verified. See the log.' };
  }
}

async function reject(site: Site, { id }: ConnectionRow, reason: string): Promise<void> {
  const { allowed } = await site.limits.take(`rejected store ${id}`, REJECTED_PER_MINUTE);
  if (!allowed) return;
  const rejection = { id, at: site.clock(), reason };
  await site.database.transaction((tx) => countRejected(tx, rejection));
}

/** What is listed about a delivery. Its body has the full text; PostgreSQL stores no NUL. */
function storable(text: string): string {
  return text.replaceAll('\0', '').slice(0, TEXT_LENGTH_MAX).toWellFormed();
}

/** An index of PostgreSQL takes keys of some kilobytes only. */
function shortKey(key: string): string {
  return key.length <= TEXT_LENGTH_MAX && !key.includes('\0')
    ? key
    : createHash('sha256').update(key).digest('base64url');
}

async function keep(
  site: Site,
  { headersKept }: Connector,
  { id }: ConnectionRow,
  { headers, body }: RequestFacts,
  verdict: Verdict & { outcome: 'genuine' },
): Promise<void> {
  const kept = headersKept.flatMap((name) =>
    headers[name] === undefined ? [] : [[name, headers[name]]],
  );
  const nowMs = site.clock();
  await site.database.batchedTransaction(keepDeliveries, {
    connection_id: id,
    topic: storable(verdict.topic),
    external_id: verdict.externalId === null ? null : storable(verdict.externalId),
    dedupe_key: shortKey(verdict.dedupeKey),
    headers: JSON.stringify(Object.fromEntries(kept)),
    ...toStoredBody(body),
    state: 'received',
    reason: '',
    due_at: nowMs,
    received_at: nowMs,
  });
}
