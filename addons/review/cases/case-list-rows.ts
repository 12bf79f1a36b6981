import { sql } from 'kysely';
import type { Reader } from '../../../src/db/database.ts';
import { readCount, readPage, type Matching } from '../../../src/db/lists/paged-list.ts';
import type { Slice } from '../../../src/shared/pagination.ts';
import type { CaseRow } from './case-rows.ts';

export const caseSorts = ['newest', 'oldest', 'held', 'answered'] as const;
type CaseSort = (typeof caseSorts)[number];

interface CaseFilter {
  readonly state?: 'open' | 'decided' | undefined;
  readonly rule?: string | undefined;
  readonly user_id?: number | undefined;
  /** Cases about this order, and those whose decision its commission depends on. */
  readonly order_id?: number | undefined;
  /** Only cases that hold or void money: an affiliate does not see mere notes. */
  readonly concerning?: boolean | undefined;
}

interface Params {
  open?: 1 | undefined;
  decided?: 1 | undefined;
  rule?: string | undefined;
  user_id?: number | undefined;
  order_id?: number | undefined;
  /** The same order as the subject of a case. */
  order?: string | undefined;
  concerning?: 1 | undefined;
}

const isConcerning = sql<boolean>`(holds_new = 1
  or exists (select 1 from review_holds where review_holds.case_id = review_cases.id)
  or exists (select 1 from review_payouts where review_payouts.case_id = review_cases.id))`;

const countConcerning = readCount((db, p: { id: number }) =>
  db.selectFrom('review_cases').where('id', '=', p.id).where(isConcerning),
);

/** Whether a case holds, voids or delays money, so that the affiliate knows of it. */
export async function concernsMoney(db: Reader, id: number): Promise<boolean> {
  return (await countConcerning(db, { id })) > 0;
}

function matching(...[db, p, given]: Parameters<Matching<Params, unknown>>) {
  return db
    .selectFrom('review_cases')
    .$if(given('open'), (q) => q.where('state', '=', sql.lit('open')))
    .$if(given('decided'), (q) => q.where(sql<boolean>`state in ('cleared', 'rejected')`))
    .$if(given('rule'), (q) => q.where('rule', '=', p.rule!))
    .$if(given('user_id'), (q) => q.where('user_id', '=', p.user_id!))
    .$if(given('order_id'), (q) =>
      q.where(
        'review_cases.id',
        'in',
        db
          .selectFrom('review_holds')
          .select('case_id as id')
          .where('order_id', '=', p.order_id!)
          .union(
            db
              .selectFrom('review_cases as about')
              .select('about.id')
              .where('about.subject_type', '=', sql.lit('order'))
              .where('about.subject_id', '=', p.order!),
          ),
      ),
    )
    .$if(given('concerning'), (q) => q.where(isConcerning));
}

const count = readCount(matching);

const pages = {
  newest: readPage<Params, CaseRow>((...filter) =>
    matching(...filter)
      .selectAll()
      .orderBy('id', 'desc'),
  ),
  oldest: readPage<Params, CaseRow>((...filter) =>
    matching(...filter)
      .selectAll()
      .orderBy('id'),
  ),
  held: readPage<Params, CaseRow>((...filter) =>
    matching(...filter)
      .selectAll()
      .orderBy('held', 'desc')
      .orderBy('id', 'desc'),
  ),
  // An affiliate that has answered waits for a decision: the longest first, before the cases without an answer.
  answered: readPage<Params, CaseRow>((...filter) =>
    matching(...filter)
      .selectAll()
      .orderBy(sql`case when answered_at is null then 1 else 0 end`)
      .orderBy('answered_at')
      .orderBy('id', 'desc'),
  ),
};

function toParams({ state, rule, user_id, order_id, concerning }: CaseFilter): Params {
  const open = state === 'open' ? 1 : undefined;
  const decided = state === 'decided' ? 1 : undefined;
  const order = order_id === undefined ? undefined : String(order_id);
  return { open, decided, rule, user_id, order_id, order, concerning: concerning ? 1 : undefined };
}

export function countCases(db: Reader, filter: CaseFilter): Promise<number> {
  return count(db, toParams(filter));
}

export function listCaseRows(
  db: Reader,
  filter: CaseFilter,
  sort: CaseSort,
  slice: Slice,
): Promise<CaseRow[]> {
  return pages[sort](db, toParams(filter), slice);
}
