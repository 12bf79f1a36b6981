import Type from 'typebox';
import { invalidParameter } from '../../../src/kernel/call/parameters.ts';
import { ApiError, generalErrors, requireFound } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { accessOf, claimStore, tooManyConnections } from '../connections/claim-store.ts';
import { checkCredentials } from '../connections/connection-input.ts';
import { ownHost, storeIsConnected } from '../connections/store-identity.ts';
import { findConnector } from '../connectors/connectors.ts';
import { parsedJson } from '../mapping/payload.ts';
import { answerApproval, findOpenApproval } from './approval-rows.ts';
import { hashState } from './request-approval.ts';

const BODY_BYTES_MAX = 10_000;

export const receiveCredentials = operation({
  method: 'POST',
  namespace: 'site',
  path: '/connect/{kind}/keys',
  summary: 'Receive the credentials of a store that was approved there',
  description:
    'Called by the store, without a signature. The state in the address is valid once, for ten minutes, and for the ' +
    'store that it was requested for. The connection is completed in the background.',
  access: 'public',
  scope: null,
  params: Type.Object({ kind: Type.String({ description: 'The kind of store.' }) }),
  query: Type.Object({
    state: Type.String({ maxLength: 100, description: 'The state of the request.' }),
  }),
  rawBody: { bytesMax: BODY_BYTES_MAX },
  response: Type.Object(
    { received: Type.Boolean({ description: 'Always true.' }) },
    { $id: 'StoreCredentialsReceived', examples: [{ received: true }] },
  ),
  errors: [generalErrors.notFound, tooManyConnections, storeIsConnected, generalErrors.noEntropy],
  async handle({ db: tx, site, request, nowMs }, { kind, state }) {
    const connector = findConnector(site, kind);
    if (!connector?.approval) throw new ApiError(generalErrors.notFound);
    // Two answers at the same moment must not make two connections.
    await tx.lock('store approvals');
    const state_hash = hashState(site, state);
    const approval = requireFound(await findOpenApproval(tx, { kind, state_hash, now: nowMs }));
    const credentials = connector.approval.credentialsIn(parsedJson(request.body));
    if (!credentials) throw invalidParameter('body', 'must be the credentials as JSON');
    checkCredentials(connector, credentials);
    const { name, url, replaces, is_another } = approval;
    const identity = { host: is_another === 1 ? null : ownHost(connector, url), account: null };
    const given = { kind, name, url, credentials, ...identity };
    const { row, isTakenOver } = await claimStore(tx, site, connector, given, replaces === 1);
    // A connection that works is taken over when the store has accepted the new credentials.
    const access = isTakenOver ? JSON.stringify(accessOf(row)) : '';
    await answerApproval(tx, { id: approval.id, connection_id: row.id, access, due_at: nowMs });
    return { received: true };
  },
});
