import { CommandError } from '../../../kernel/declare/command.ts';
import { type AffiliateGroup, AffiliateGroups } from './affiliate-groups.ts';
import type { BalanceItem, CodeItem, Item, Money, RateItem } from './model.ts';
import { HistoryPlan, type PlannedHistory } from './plan-history.ts';
import { RuleCollector, type RulePlan } from './plan-rules.ts';
import type { SourceFile } from './read-file.ts';
import type { ReportedLine } from './reported-line.ts';
import { columnName, exactAmount, requireCurrency, RowError } from './row.ts';
import type { FileShape, PlanContext, System } from './system.ts';

export interface Plan {
  readonly lines: readonly ReportedLine[];
  readonly groups: readonly AffiliateGroup[];
  readonly history: readonly PlannedHistory[];
  readonly rates: RulePlan;
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
    attempt(line, () => addCode(groups, item, line, context));
  const history = new HistoryPlan(groups, context);
  for (const { item, line } of only(items, 'referral'))
    attempt(line, () => history.add(item, line));
  for (const { item, line } of only(items, 'payout')) attempt(line, () => history.add(item, line));
  for (const { item, line } of only(items, 'balance')) {
    attempt(line, () => addBalance(groups, item, line, context));
  }
  history.computeOpenings();
  const rules = new RuleCollector(context, system.isOneRate ?? false);
  collectRates(rules, items, groups);
  const rates = rules.plan();
  return { lines, groups: groups.all(), history: history.planned, rates };
}

function collectRates(
  rules: RuleCollector,
  items: readonly Sourced<Item>[],
  groups: AffiliateGroups,
): void {
  for (const { item } of only(items, 'standard')) rules.setStandard(item);
  for (const { item, line } of only(items, 'reward')) rules.addReward(item.id, item.terms, line);
  for (const { item, line } of only(items, 'campaign')) {
    attempt(line, () => rules.addCampaign(item, line, (rate) => membersOf(rate, groups, line)));
  }
  for (const { item, line } of only(items, 'rate')) {
    attempt(line, () => rules.add(item, line, (rate) => membersOf(rate, groups, line)));
  }
}

/** Affiliates that are not imported have no rates. */
function membersOf({ of, owner, campaign }: RateItem, groups: AffiliateGroups, line: ReportedLine) {
  if (of === 'own') return [groups.ownerOf(owner ?? [], line)];
  if (of !== 'campaign' || campaign === undefined) return undefined;
  return groups.all().filter((group) => group.campaigns.has(campaign));
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

function addCode(
  groups: AffiliateGroups,
  { owner, code, terms }: CodeItem,
  line: ReportedLine,
  { currency }: PlanContext,
): void {
  const amount = (money: Money | undefined) => (money ? exactAmount(money, currency) : null);
  const rates = terms && {
    percent: terms.percent === undefined ? null : String(terms.percent),
    fixed_per_order: amount(terms.perOrder),
    fixed_per_product: amount(terms.perProduct),
  };
  groups.addCode(groups.ownerOf(owner, line), code, line, rates);
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
