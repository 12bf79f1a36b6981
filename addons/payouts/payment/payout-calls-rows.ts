import { sql } from 'kysely';
import type { Transaction } from '../../../src/db/database.ts';
import { readAll } from '../../../src/db/statements/calls.ts';
import { query } from '../../../src/db/statements/query.ts';
import { rowQuery } from '../../../src/db/statements/row-query.ts';
import type { RowOf } from '../../../src/db/tables.ts';
import type { GatewayAnswer } from './call-gateway.ts';
import { failureOf } from './failure-reason.ts';

type Call = Pick<
  RowOf<'payout_calls'>,
  'payout_id' | 'act' | 'outcome' | 'code' | 'reason' | 'transaction_id' | 'last_at'
>;

const repeat = query<Call>((db, p) =>
  db
    .updateTable('payout_calls')
    .set((eb) => ({ times: eb('times', '+', 1), last_at: p.last_at }))
    .where('id', '=', (eb) =>
      eb
        .selectFrom('payout_calls as latest')
        .select((e) => e.fn.max('latest.id').as('id'))
        .where('latest.payout_id', '=', p.payout_id),
    )
    .where('act', '=', p.act)
    .where('outcome', '=', p.outcome)
    .where('code', '=', p.code)
    .where('reason', '=', p.reason)
    .where('transaction_id', '=', p.transaction_id),
);

const insert = rowQuery<Call>((db, row) =>
  db.insertInto('payout_calls').values({ ...row, times: sql.lit(1), first_at: row.last_at }),
);

/** Records a call of a gateway. A gateway is polled for weeks, so calls with the same answer share a row. */
export async function recordCall(
  tx: Transaction,
  { payout, act, outcome }: GatewayAnswer,
  nowMs: number,
): Promise<void> {
  const failure = failureOf(outcome);
  const call: Call = {
    payout_id: payout.id,
    act,
    outcome: outcome.status,
    code: failure?.code ?? '',
    reason: failure?.message ?? '',
    transaction_id: ('transaction_id' in outcome && outcome.transaction_id) || '',
    last_at: nowMs,
  };
  if ((await tx.run(repeat, call)) === 0) await tx.run(insert, call);
}

/** The last calls of a payout are enough to see what happened. */
const SHOWN_MAX = 200;

export const findCalls = readAll<{ payout_id: number }, RowOf<'payout_calls'>>((db, p) =>
  db
    .selectFrom('payout_calls')
    .selectAll()
    .where('payout_id', '=', p.payout_id)
    .orderBy('id', 'desc')
    .limit(sql.lit(SHOWN_MAX)),
);
