import Type, { type Static } from 'typebox';
import { DatabaseUnavailable } from '../../../src/db/unavailable.ts';
import { actorId } from '../../../src/kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../../../src/kernel/declare/errors.ts';
import { Nullable, StringEnum } from '../../../src/kernel/declare/schemas.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { changeStatus, type StatusRequest } from '../api/change-payout-status.ts';
import { readReference, TransactionReference } from '../api/payout-wire.ts';
import { payoutOperation } from '../missing-tables.ts';
import { requireNoObjection } from '../payout/objections.ts';
import { clientStatuses, payoutStatuses } from '../payout/payout-status.ts';
import { findStatuses, PayoutIds } from './payout-batch.ts';

/** Transactions that run concurrently. SQLite commits them together; PostgreSQL has connections left for others. */
const AT_ONCE = 4;

const ResultSchema = Type.Object(
  {
    id: Type.Integer({ description: 'The payout.' }),
    ok: Type.Boolean({ description: 'True if this request changed it.' }),
    status: Nullable(
      StringEnum(payoutStatuses, { description: 'Its status now; null if it does not exist.' }),
    ),
    error: Nullable(
      Type.Object(
        { code: Type.String(), message: Type.String() },
        { description: 'Why it was not changed: an error of `POST /payouts/{id}/status`.' },
      ),
    ),
  },
  { $id: 'PayoutBatchResult', examples: [{ id: 31, ok: true, status: 'created', error: null }] },
);

type Result = Static<typeof ResultSchema>;

const Body = Type.Object(
  {
    ids: PayoutIds,
    status: StringEnum(clientStatuses, { description: 'The new status.' }),
    from: Type.Optional(
      StringEnum(payoutStatuses, {
        description:
          'The status that the caller has seen. A payout with a different status is not changed: `svc_api_conflict`.',
      }),
    ),
    transaction_id: Type.Optional(TransactionReference),
    note: Type.Optional(
      Type.String({ maxLength: 500, description: 'A remark for the change feed.' }),
    ),
  },
  { $id: 'ChangePayouts' },
);

export const batchPayouts = payoutOperation({
  method: 'POST',
  namespace: 'store',
  path: '/payouts/batch',
  summary: 'Change the status of up to 500 payouts',
  description:
    'Each payout is changed in a transaction of its own, by the rules of `POST /payouts/{id}/status`, and has a ' +
    'result of its own: a payout that cannot be changed does not keep the others from it. A payout that holds ' +
    'commission in review is not changed to `created` or `paid`. No gateway is called.',
  access: 'admin',
  scope: 'write',
  proof: true,
  body: Body,
  example: { body: { ids: [31], status: 'created' } },
  response: Type.Object(
    { items: Type.Array(ResultSchema, { description: 'In the order of `ids`.' }) },
    { $id: 'PayoutBatch' },
  ),
  // One transaction per payout.
  transaction: false,
  check({ status, transaction_id }, errors) {
    if (status === undefined || status === 'paid' || !readReference(transaction_id)) return;
    errors.add('transaction_id', 'is only allowed with the status paid');
  },
  async handle({ db, site, caller, nowMs }, input) {
    const { ids, status, from, note } = input;
    const seen = await findStatuses(db, ids);
    const transactionId = readReference(input.transaction_id);
    const check = requireNoObjection;
    const by = { status, transactionId, note, check, actorId: actorId(caller), nowMs };
    const errors = await changeEach(
      site,
      ids.map((id) => ({ id, seen: from ?? seen.get(id), ...by })),
    );
    // What the refused ones are now: another request may have changed them.
    const now = errors.size === 0 ? seen : await findStatuses(db, [...errors.keys()]);
    const items = ids.map((id): Result => {
      const error = errors.get(id);
      if (!error) return { id, ok: true, status, error: null };
      const { code } = error.definition;
      return {
        id,
        ok: false,
        status: now.get(id) ?? null,
        error: { code, message: error.message },
      };
    });
    return { items };
  },
});

/** Returns the refusals by the id of the payout. */
async function changeEach(
  site: Site,
  requests: readonly StatusRequest[],
): Promise<Map<number, ApiError>> {
  const errors = new Map<number, ApiError>();
  const waiting = requests.values();
  const work = async () => {
    for (const request of waiting) {
      const error = await changeOne(site, request);
      if (error) errors.set(request.id, error);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return errors;
}

async function changeOne(site: Site, request: StatusRequest): Promise<ApiError | undefined> {
  try {
    await site.database.transaction((tx) => changeStatus(tx, site, request));
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error;
    // Some payouts may be changed already, so the request itself can no longer fail.
    const { id: payout_id } = request;
    site.log.error({ err: error, payout_id }, 'a payout of a batch could not be changed');
    const isDown = error instanceof DatabaseUnavailable;
    return new ApiError(isDown ? generalErrors.notWritable : generalErrors.serverError);
  }
}
