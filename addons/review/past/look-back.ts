import { sql } from 'kysely';
import type { Reader } from '../../../src/db/database.ts';
import type { Dialect } from '../../../src/db/dialect.ts';
import { readAll } from '../../../src/db/statements/calls.ts';
import { long } from '../../../src/db/statements/query.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import type { AllRuleOptions } from '../rules/rules.ts';

/** What a rule looks back at. */
export interface Past {
  readonly site: Site;
  /** Orders that were placed from here on count. */
  readonly sinceMs: number;
  /** The thresholds that are tried. */
  readonly options: AllRuleOptions;
}

/** A referral that a rule would have found. */
export interface FoundReferral {
  readonly order_id: number;
  readonly user_id: number;
  readonly commission: number;
}

/** What a rule would have found: an order counts once, with the commission that it earns now. */
export class Found {
  readonly #orders = new Set<number>();
  readonly #affiliates = new Set<number>();
  #counted = 0;
  amount = 0;

  add({ order_id, user_id, commission }: FoundReferral): void {
    this.#orders.add(order_id);
    this.addAffiliate(user_id, commission);
  }

  addAffiliate(userId: number, amount: number): void {
    this.#affiliates.add(userId);
    this.amount += amount;
  }

  /** Orders that are counted without their numbers. */
  addOrders(count: number): void {
    this.#counted += count;
  }

  get orders(): number {
    return this.#orders.size + this.#counted;
  }

  get affiliates(): number {
    return this.#affiliates.size;
  }
}

/** Looks for what a rule would have found. It only reads, in pages that take a few milliseconds. */
export type LookBack = (past: Past, found: Found) => Promise<void>;

/** What is found in a page is judged in this thread: it takes a few milliseconds. */
export const PAGE = 200;

/** The size of a page. A database that runs in a process of its own blocks nothing here: fewer and larger pages take less time. */
export function sizeOfPage({ database }: Site, whereItBlocks: number): number {
  return database.dialect.blocksEventLoop ? whereItBlocks : 20 * whereItBlocks;
}

/**
 * A column whose range is wide. PostgreSQL plans a statement without its values and takes each range for narrow: it
 * would follow an index of this column where another one finds far fewer rows.
 */
export function wideRange(dialect: Dialect, column: string, type: 'text' | 'number') {
  if (dialect.blocksEventLoop) return sql.ref(column);
  return type === 'text' ? sql`${sql.ref(column)} || ''` : sql`${sql.ref(column)} + 0`;
}

/** Reads the pages of a list one after the other: `read`, a long statement, gets the last row of the page before. */
export async function* pagesOf<R>(
  read: (last: R | undefined) => Promise<R[]>,
  size = PAGE,
): AsyncGenerator<R[]> {
  for (let last: R | undefined; ;) {
    const page = await read(last);
    if (page.length > 0) yield page;
    if (page.length < size) return;
    last = page.at(-1);
  }
}

interface Earner {
  id: number;
  email: string;
}

const earnersAfter = readAll<{ after: number; limit: number }, Earner>(
  (db, p) =>
    db
      .selectFrom('users')
      .select(['id', 'email'])
      .where('id', '>', p.after)
      .where(({ exists, or, selectFrom }) =>
        or(
          (['coupons', 'former_accounts'] as const).map((table) =>
            exists(
              selectFrom(table)
                .select(sql.lit(1).as('one'))
                .whereRef(`${table}.user_id`, '=', 'users.id'),
            ),
          ),
        ),
      )
      .orderBy('id')
      .limit(p.limit),
  long,
);

/** Everyone who has a coupon, or has had one. */
export function pagesOfEarners(db: Reader, limit = PAGE): AsyncGenerator<Earner[]> {
  return pagesOf((last) => earnersAfter(db, { after: last?.id ?? 0, limit }), limit);
}
