import { createHash } from 'node:crypto';
import type { SiteCalendar } from '../../../shared/dates.ts';
import type { Currency } from '../../../shared/money.ts';
import { type AffiliateGroup, AffiliateGroups } from './affiliate-groups.ts';
import { instantOf } from './dates.ts';
import { columnName, exactAmount, requireCurrency, RowError } from './row.ts';
import type {
  BalanceItem,
  CodeItem,
  Item,
  PayoutItem,
  PayoutState,
  ReferralItem,
  ReferralState,
} from './model.ts';
import type { SourceFile } from './read-file.ts';
import type { ReportedLine } from './reported-line.ts';
import type { FileShape, System } from './system.ts';
import { CommandError } from '../../../kernel/declare/command.ts';

/** A referral or payout of the old system, which is stored as history. */
export interface PlannedHistory {
  readonly group: AffiliateGroup;
  readonly line: ReportedLine;
  readonly kind: 'referral' | 'payout';
  readonly externalId: string;
  readonly state: ReferralState | PayoutState;
  readonly amount: number;
  readonly sale: number | null;
  readonly reference: string;
  readonly happenedAt: number | null;
}

export interface Plan {
  readonly lines: readonly ReportedLine[];
  readonly groups: readonly AffiliateGroup[];
  readonly history: readonly PlannedHistory[];
}

export interface PlanContext {
  readonly currency: Currency;
  readonly calendar: SiteCalendar;
  readonly nowMs: number;
}

interface Sourced<I extends Item> {
  readonly item: I;
  readonly line: ReportedLine;
}

/** Reads what the files say, without the database: who the affiliates are, their codes, what they are owed, and history. */
export function planImport(
  system: System,
  sources: readonly SourceFile[],
  context: PlanContext,
): Plan {
  const lines: ReportedLine[] = [];
  const items = sources.flatMap((source) => itemsOf(system, source, lines));
  const groups = new AffiliateGroups(context);
  for (const { item, line } of only(items, 'affiliate')) groups.add(item, line);
  for (const { item, line } of only(items, 'code'))
    attempt(line, () => addCode(groups, item, line));
  const history = new HistoryPlan(groups, context);
  for (const { item, line } of only(items, 'referral'))
    attempt(line, () => history.add(item, line));
  for (const { item, line } of only(items, 'payout')) attempt(line, () => history.add(item, line));
  for (const { item, line } of only(items, 'balance')) {
    attempt(line, () => addBalance(groups, item, line, context));
  }
  history.computeOpenings();
  return { lines, groups: groups.all(), history: history.planned };
}

function itemsOf(system: System, source: SourceFile, lines: ReportedLine[]): Sourced<Item>[] {
  const shape = recognise(system, source);
  return source.rows.flatMap(({ line: number, row, error }) => {
    let items: Item[] = [];
    let reason = error;
    try {
      items = row ? shape.read(row) : [];
    } catch (caught) {
      reason = reasonOf(caught);
    }
    const main = mainOf(items);
    const line: ReportedLine = {
      file: source.name,
      line: number,
      kind: main?.kind ?? 'line',
      outcome: reason !== undefined ? 'refused' : main ? undefined : 'skipped',
      messages: reason === undefined ? [] : [reason],
    };
    lines.push(line);
    return items.map((item) => ({ item, line }));
  });
}

/** A row that only mentions an affiliate is about something else. */
function mainOf(items: readonly Item[]): Item | undefined {
  return (
    items.find(({ kind }) => kind === 'referral' || kind === 'payout') ??
    items.find((item) => item.kind === 'affiliate' && item.state !== undefined) ??
    items.find(({ kind }) => kind !== 'affiliate') ??
    items[0]
  );
}

function only<K extends Item['kind']>(items: readonly Sourced<Item>[], kind: K) {
  // `kind` tells the members of the union apart.
  return items.filter(({ item }) => item.kind === kind) as Sourced<Extract<Item, { kind: K }>>[];
}

/** Refuses a line whose item cannot be used, and goes on. */
function attempt(line: ReportedLine, work: () => void): void {
  try {
    work();
  } catch (error) {
    line.messages.push(reasonOf(error));
    if (line.kind !== 'affiliate') line.outcome = 'refused';
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof RowError) return error.message;
  throw error;
}

function addCode(groups: AffiliateGroups, item: CodeItem, line: ReportedLine): void {
  groups.addCode(groups.ownerOf(item.owner, line), item.code, line);
}

function addBalance(
  groups: AffiliateGroups,
  { owner, amount, currency }: BalanceItem,
  line: ReportedLine,
  context: PlanContext,
): void {
  requireCurrency(currency, context.currency);
  const group = groups.ownerOf(owner, line);
  group.stated = (group.stated ?? 0) + exactAmount(amount, context.currency);
  if (!group.lines.includes(line)) group.lines.push(line);
}

class HistoryPlan {
  readonly planned: PlannedHistory[] = [];
  readonly #groups: AffiliateGroups;
  readonly #context: PlanContext;
  readonly #seen = new Map<string, PlannedHistory>();
  /** How often a file has had a digest. */
  readonly #equal = new Map<string, number>();

  constructor(groups: AffiliateGroups, context: PlanContext) {
    this.#groups = groups;
    this.#context = context;
  }

  add(item: ReferralItem | PayoutItem, line: ReportedLine): void {
    const { currency, calendar, nowMs } = this.#context;
    requireCurrency(item.currency, currency);
    const group = this.#groups.ownerOf(item.owner, line);
    const amount = exactAmount(item.amount, currency);
    const instant = item.date === undefined ? undefined : instantOf(item.date, calendar);
    if (item.date !== undefined && instant === undefined) {
      line.messages.push(`the date "${item.date}" could be several days; it is left out`);
    }
    const externalId = item.id ?? this.#idOf(item, amount, line);
    const same = this.#seen.get(`${item.kind} ${externalId}`);
    if (same) {
      const place = `line ${same.line.line} of ${same.line.file}`;
      if (same.state !== item.state || same.amount !== amount) {
        throw new RowError(`contradicts ${place}: give only the newer file`);
      }
      line.outcome = 'known';
      line.messages.push(`the same as ${place}`);
      return;
    }
    const planned: PlannedHistory = {
      group,
      line,
      kind: item.kind,
      externalId,
      state: item.state,
      amount,
      sale: item.kind === 'referral' && item.sale ? exactAmount(item.sale, currency) : null,
      reference: item.reference ?? '',
      happenedAt: instant === undefined ? null : Math.min(instant, nowMs),
    };
    this.#seen.set(`${item.kind} ${externalId}`, planned);
    this.planned.push(planned);
  }

  /**
   * An id for a record without one: a digest of what does not change when its state does. Equal records of one file
   * are counted; those of two files that overlap are the same.
   */
  #idOf(item: ReferralItem | PayoutItem, amount: number, { file }: ReportedLine): string {
    const facts = item.reference ? [item.reference] : [item.date, amount];
    const digest = createHash('sha256').update(
      JSON.stringify([item.kind, item.owner[0], ...facts]),
    );
    const id = digest.digest('hex').slice(0, 24);
    const n = (this.#equal.get(`${file} ${id}`) ?? 0) + 1;
    this.#equal.set(`${file} ${id}`, n);
    return n === 1 ? id : `${id}-${n}`;
  }

  /**
   * What is owed where no file states it: unpaid referrals. Of referrals that are only approved, payouts tell what has
   * been paid; without any payout nothing is known, and nothing is added.
   */
  computeOpenings(): void {
    const sums = new Map<AffiliateGroup, Sums>();
    for (const { group, kind, state, amount } of this.planned) {
      const sum = sums.get(group) ?? { ...noSums };
      if (kind === 'referral') {
        // Referrals have the states of referrals.
        sum[state as ReferralState] += amount;
        sum.referrals += 1;
      } else if (state === 'paid') {
        sum.payouts += amount;
      }
      sums.set(group, sum);
    }
    const payoutsKnown = this.planned.some(({ kind }) => kind === 'payout');
    for (const [group, sum] of sums) {
      group.pending = sum.pending;
      if (sum.referrals === 0) continue;
      if (sum.approved !== 0 && !payoutsKnown) {
        group.unknown = sum.approved;
        continue;
      }
      const paidOfApproved = Math.max(0, sum.payouts - sum.paid);
      group.computed = sum.unpaid + (sum.approved === 0 ? 0 : sum.approved - paidOfApproved);
    }
  }
}

type Sums = Record<ReferralState | 'payouts' | 'referrals', number>;

const noSums: Sums = {
  pending: 0,
  approved: 0,
  unpaid: 0,
  paid: 0,
  rejected: 0,
  payouts: 0,
  referrals: 0,
};

/** Finds out which of the system's files this is. An unknown file is refused with the columns that it could have. */
function recognise(system: System, source: SourceFile): FileShape {
  const columns = new Set(source.columns.map(columnName));
  const shape = system.files.find(({ needs }) => needs.every((need) => has(columns, need)));
  if (shape) return shape;
  const expected = system.files.map(
    ({ name, needs }) =>
      `  ${name}: ${needs.map((need) => need.replaceAll('|', ' or ')).join(', ')}`,
  );
  throw new CommandError(
    'usage',
    `${source.name} is none of the files of ${system.title} that can be imported. ` +
      `It has the columns ${source.columns.join(', ') || '(none)'}. Expected are at least:\n` +
      expected.join('\n'),
  );
}

function has(columns: ReadonlySet<string>, need: string): boolean {
  return need.split('|').some((name) => columns.has(columnName(name)));
}
