import Type from 'typebox';
import { generalErrors, requireFound } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id, LocalTime, Nullable, StringEnum } from '../../../src/kernel/declare/schemas.ts';
import { findConnection, type ConnectionRow } from '../connections/connection-rows.ts';
import { StoreSteps, StoreWarnings } from '../connections/connection-wire.ts';
import { findApproval, reportOf, type ApprovalRow } from './approval-rows.ts';

const states = ['waiting', 'approved', 'connected', 'failed', 'expired'] as const;

export const getApproval = operation({
  method: 'GET',
  namespace: 'store',
  path: '/connection-requests/{id}',
  summary: 'Get the status of a connection request',
  description: 'Kept for a day.',
  access: 'plugin-admin',
  scope: 'manage',
  params: Type.Object({ id: Id('The request.') }),
  response: Type.Object(
    {
      id: Type.Integer({ description: 'The id of the request.' }),
      kind: Type.String({ description: 'The kind of store.' }),
      name: Type.String({ description: 'A label of your choice.' }),
      url: Type.String({ description: 'The address of the store.' }),
      state: StringEnum(states, {
        description:
          '`waiting`: for the owner; `approved`: the store has sent its credentials and is called; `connected`; ' +
          '`failed`: the store did not accept them; `expired`: the owner did not approve in time.',
      }),
      reason: Type.String({
        description:
          'Why it failed, or why it is not connected yet and is tried again, in a sentence; otherwise empty.',
      }),
      steps: StoreSteps,
      warnings: StoreWarnings,
      connection_id: Nullable(
        Type.Integer({ description: 'The connection; null until the store has answered.' }),
      ),
      date_expires: LocalTime('Until when the store may answer.'),
    },
    {
      $id: 'StoreApproval',
      examples: [
        {
          id: 4,
          kind: 'woocommerce',
          name: 'Outdoor shop',
          url: 'https://shop.example',
          state: 'connected',
          reason: '',
          steps: ['The shop answers and accepts the key. It sells in USD.', 'Created 4 webhooks.'],
          warnings: [],
          connection_id: 3,
          date_expires: '2026-02-24T10:22:11',
        },
      ],
    },
  ),
  errors: [generalErrors.notFound],
  async handle({ db, site, nowMs }, { id }) {
    const row = requireFound(await findApproval(db, { id }));
    const { connection_id } = row;
    const connection = connection_id === null ? undefined : await findConnection(db, connection_id);
    const { steps, warnings } = reportOf(row);
    const state = stateOf(row, connection?.state, nowMs);
    return {
      id,
      kind: row.kind,
      name: row.name,
      url: row.url,
      state,
      reason: reasonOf(row, connection, state),
      steps: [...steps],
      warnings: [...warnings],
      connection_id,
      date_expires: site.calendar.toLocal(row.expires_at),
    };
  },
});

/** A store that did not answer is called again, which may take hours: the owner can see why. */
function reasonOf(
  row: ApprovalRow,
  connection: ConnectionRow | undefined,
  state: (typeof states)[number],
): string {
  const { refusal } = reportOf(row);
  if (refusal !== '') return refusal;
  const { attempts } = row;
  if (state === 'failed') return connection?.reason ?? 'The connection was deleted.';
  return state === 'approved' && attempts > 0 ? (connection?.reason ?? '') : '';
}

function stateOf(
  row: ApprovalRow,
  connection: string | undefined,
  nowMs: number,
): (typeof states)[number] {
  const { connection_id, due_at, expires_at } = row;
  if (connection_id === null) return expires_at > nowMs ? 'waiting' : 'expired';
  if (due_at !== null) return 'approved';
  const isRefused = connection === 'failed' || reportOf(row).refusal !== '';
  return connection === undefined || isRefused ? 'failed' : 'connected';
}
