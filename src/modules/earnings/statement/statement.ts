import type { Reader } from '../../../db/database.ts';
import { invalidParameter } from '../../../kernel/call/parameters.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { findAccountsOf } from '../../coupons/index.ts';
import {
  findAccountPart,
  listAccountEntries,
  type AccountEntry,
  type AccountPart,
} from '../../ledger/index.ts';

/** What changed the balance of a statement. */
export const lineKinds = [
  'commission',
  'commission_removed',
  'bonus',
  'adjustment',
  'payout',
  'payout_returned',
  'hand_over',
] as const;
export type LineKind = (typeof lineKinds)[number];

/** More lines than anyone reads on a screen or on paper; the CSV file has no limit. */
const LINES_MAX = 2_000;

/** A period of days, both included. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** Amounts are in minor units. */
export interface StatementLine {
  readonly id: number;
  readonly at: number;
  readonly kind: LineKind;
  readonly order_id: number | null;
  readonly payout_id: number | null;
  readonly coupon_code: string;
  /** Why an adjustment was made or a bonus was paid; empty for other lines. */
  readonly reason: string;
  readonly amount: number;
  /** What the store owes after this line. */
  readonly balance: number;
}

/** The account of an affiliate in a period. */
export class Statement {
  readonly period: Period;
  readonly opening: number;
  readonly closing: number;
  readonly #db: Reader;
  readonly #parts: readonly AccountPart[];
  readonly #codes: ReadonlyMap<number, string>;

  static async open(db: Reader, site: Site, userId: number, period: Period): Promise<Statement> {
    const accounts = await findAccountsOf(db, userId);
    const instants = {
      since: site.calendar.startOfDay(period.from),
      until: site.calendar.endOfDay(period.to) + 1,
    };
    const parts = await Promise.all(
      accounts.map(({ coupon_id: couponId }) =>
        findAccountPart(db, { couponId, userId }, instants),
      ),
    );
    const codes = new Map(accounts.map(({ coupon_id, code }) => [coupon_id, code]));
    return new Statement(db, period, parts, codes);
  }

  private constructor(
    db: Reader,
    period: Period,
    parts: readonly AccountPart[],
    codes: ReadonlyMap<number, string>,
  ) {
    this.#db = db;
    this.#parts = parts;
    this.#codes = codes;
    this.period = period;
    this.opening = parts.reduce((sum, part) => sum + part.opening, 0);
    this.closing = parts.reduce((sum, part) => sum + part.closing, 0);
  }

  /** The lines after an id, oldest first. `balance` is what was owed before them. */
  async readLines(
    page: { after: number; limit: number },
    balance: number,
  ): Promise<StatementLine[]> {
    if (this.#parts.length === 0) return [];
    const entries = await listAccountEntries(this.#db, this.#parts, page);
    let owed = balance;
    return entries.map((entry) => this.#toLine(entry, (owed += entry.amount)));
  }

  /** All lines. Throws if there are too many. */
  async allLines(): Promise<StatementLine[]> {
    const lines = await this.readLines({ after: 0, limit: LINES_MAX + 1 }, this.opening);
    if (lines.length <= LINES_MAX) return lines;
    throw invalidParameter(
      'from',
      `must be later: the period has more than ${LINES_MAX} lines. The CSV file has no limit.`,
    );
  }

  #toLine(entry: AccountEntry, balance: number): StatementLine {
    return {
      id: entry.id,
      at: entry.created_at,
      kind: kindOf(entry),
      order_id: entry.order_id,
      payout_id: entry.payout_id,
      coupon_code: this.#codes.get(entry.coupon_id) ?? '',
      reason: isExplained(entry) ? entry.note : '',
      amount: entry.amount,
      balance,
    };
  }
}

/** An order or a payout explains itself. */
const explained: ReadonlySet<string> = new Set(['adjustment', 'bonus', 'hand_over']);
const isExplained = ({ kind }: AccountEntry) => explained.has(kind);

function kindOf({ kind, amount }: AccountEntry): LineKind {
  if (kind === 'adjustment' || kind === 'bonus' || kind === 'hand_over') return kind;
  if (kind === 'payout') return amount < 0 ? 'payout' : 'payout_returned';
  return amount < 0 ? 'commission_removed' : 'commission';
}

/** The sums of the lines by kind, with their sign. */
export function totalsOf(lines: readonly StatementLine[]): Record<LineKind, number> {
  const sum = (kind: LineKind) =>
    lines.reduce((total, line) => (line.kind === kind ? total + line.amount : total), 0);
  return {
    commission: sum('commission'),
    commission_removed: sum('commission_removed'),
    bonus: sum('bonus'),
    adjustment: sum('adjustment'),
    payout: sum('payout'),
    payout_returned: sum('payout_returned'),
    hand_over: sum('hand_over'),
  };
}
