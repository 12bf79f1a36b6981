import type { Transaction } from '../../../src/db/database.ts';
import { byNumber } from '../../../src/db/statements/keyed-query.ts';
import { insertRows } from '../../../src/db/statements/rows-query.ts';
import type { RowOf } from '../../../src/db/tables.ts';
import { defineWrites, type PendingWrites } from '../../../src/db/unit-of-work.ts';

const insertTraces = insertRows<RowOf<'review_click_traces'>>('review_click_traces');

export type ClickTrace = Pick<RowOf<'review_click_traces'>, 'click_id' | 'referrer' | 'ads'> & {
  readonly campaign: string;
};

export const traceOf = byNumber<ClickTrace>((db, isKey) =>
  db
    .selectFrom('review_click_traces')
    .innerJoin('clicks', 'clicks.id', 'review_click_traces.click_id')
    .select(['click_id', 'referrer', 'ads', 'clicks.campaign'])
    .where(isKey('click_id')),
);

class PendingTraces implements PendingWrites {
  readonly list: RowOf<'review_click_traces'>[] = [];

  flush(tx: Transaction): Promise<void> {
    return tx.runMany(insertTraces, this.list);
  }
}

export const traces = defineWrites({
  name: 'review-click-traces',
  after: 'attribution',
  create: () => new PendingTraces(),
});
