import type { Reader, Transaction } from '../../../db/database.ts';
import { lockCoupon } from '../../coupons/index.ts';
import { emitCommission, listEntries, post } from '../../ledger/index.ts';
import { findLatest, recordKey, type NewHistoryRow } from '../history-rows.ts';
import { addLinks, sumAdded, type NewImportLink } from '../import-rows.ts';
import { owedTo, type AffiliateGroup } from './affiliate-groups.ts';
import { applyAffiliate, newLink, type ApplyContext, type Finding } from './apply-affiliate.ts';
import type { PlannedHistory } from './plan-history.ts';

export interface AppliedPiece {
  readonly users: Map<AffiliateGroup, number | undefined>;
  readonly findings: Finding[];
  /** What was added to balances, in the smallest unit. */
  readonly opening: number;
}

/** Applies some affiliates with their codes and opening balances, in the given transaction. */
export async function applyAffiliates(
  tx: Transaction,
  context: ApplyContext,
  groups: readonly AffiliateGroup[],
  taken: Iterable<number>,
): Promise<AppliedPiece> {
  /** Users of this import: a second affiliate of the old system with the same user would get its balance twice. */
  const seen = new Set(taken);
  const users = new Map<AffiliateGroup, number | undefined>();
  const findings: Finding[] = [];
  const links: NewImportLink[] = [];
  const balances: NewImportLink[] = [];
  for (const group of groups) {
    const applied = await applyAffiliate(tx, context, group, seen);
    if (applied.userId !== undefined) seen.add(applied.userId);
    users.set(group, applied.userId);
    findings.push(...applied.findings);
    links.push(...applied.links);
    if (applied.userId === undefined || applied.couponId === undefined) continue;
    const to = { userId: applied.userId, couponId: applied.couponId };
    const balance = await postOpening(tx, context, group, to);
    if (balance) balances.push(balance);
    const isNew = applied.links.some(({ kind, created }) => kind === 'affiliate' && created === 1);
    findings.push(...openingFindings(context, group, { amount: balance?.amount ?? 0, isNew }));
  }
  // Each coupon got one entry in this piece: its latest.
  await tx.flush();
  for (const balance of balances) {
    const [entry] = await listEntries(tx, { coupon_id: balance.coupon_id!, limit: 1, offset: 0 });
    links.push({ ...balance, entry_id: entry!.id });
  }
  if (context.importId !== 0) await addLinks(tx, context.importId, links);
  return { users, findings, opening: balances.reduce((sum, { amount }) => sum + amount, 0) };
}

/** Adds to the balance what the old system owes more than earlier imports have added; a repeated import adds nothing. */
async function postOpening(
  tx: Transaction,
  context: ApplyContext,
  group: AffiliateGroup,
  { userId, couponId }: { userId: number; couponId: number },
): Promise<NewImportLink | undefined> {
  const { site, system, nowMs } = context;
  const owed = owedTo(group);
  if (owed === undefined) return undefined;
  const amount = owed - (await sumAdded(tx, system.name, userId));
  if (amount === 0) return undefined;
  await lockCoupon(tx, couponId);
  const note = `Opening balance from ${system.title} (import ${context.importId})`;
  const entry = { couponId, ownerId: userId, orderId: null, note, nowMs };
  post(tx, { ...entry, from: 'earned', to: 'unpaid', amount, kind: 'adjustment', userId: 0 });
  emitCommission(tx, site, { ...entry, amountMinor: amount, actorId: 0 });
  return { ...newLink(context, group, userId), kind: 'balance', coupon_id: couponId, amount };
}

function openingFindings(
  { site }: ApplyContext,
  group: AffiliateGroup,
  { amount, isNew }: { amount: number; isNew: boolean },
): Finding[] {
  const { currency } = site;
  const text = (minor: number) => `${currency.toMajor(minor)} ${currency.code}`;
  const own = group.lines.find(({ kind }) => kind === 'affiliate');
  const line = own ?? group.lines[0]!;
  const findings: Finding[] = [];
  if (amount !== 0) {
    const message = `opening balance ${text(amount)}`;
    findings.push({ line, message, ...(own && !isNew && { outcome: 'changed' as const }) });
  }
  const { stated, computed } = group;
  if (stated !== undefined && computed !== undefined && stated !== computed) {
    findings.push({
      line,
      message: `the balance is ${text(stated)}, its unpaid referrals are ${text(computed)}: the balance counts`,
    });
  }
  if (group.unknown !== 0 && stated === undefined) {
    const message = `${text(group.unknown)} is approved, and no file says what of it is paid: nothing is added`;
    findings.push({ line, message });
  }
  for (const balanceLine of group.lines.filter(({ kind }) => kind === 'balance')) {
    findings.push({ line: balanceLine, outcome: amount === 0 ? 'known' : 'changed' });
  }
  return findings;
}

/** Compares some records with those of earlier imports, and returns the rows to add. */
export async function compareHistory(
  db: Reader,
  context: Pick<ApplyContext, 'system' | 'importId'>,
  records: readonly PlannedHistory[],
  userOf: (group: AffiliateGroup) => Promise<number | undefined>,
): Promise<{ rows: NewHistoryRow[]; findings: Finding[] }> {
  const { system, importId } = context;
  const latest = await findLatest(
    db,
    system.name,
    records.map(({ externalId }) => externalId),
  );
  const rows: NewHistoryRow[] = [];
  const findings: Finding[] = [];
  for (const record of records) {
    const { line } = record;
    const userId = await userOf(record.group);
    if (userId === undefined) {
      findings.push({ line, outcome: 'skipped', message: 'its affiliate is not imported' });
      continue;
    }
    const known = latest.get(recordKey(record.kind, record.externalId));
    const isSame = known?.state === record.state && known.amount === record.amount;
    findings.push({ line, outcome: known ? (isSame ? 'known' : 'changed') : 'new' });
    if (isSame) continue;
    rows.push({
      import_id: importId,
      system: system.name,
      kind: record.kind,
      external_id: record.externalId,
      user_id: userId,
      state: record.state,
      amount: record.amount,
      sale: record.sale,
      reference: record.reference,
      happened_at: record.happenedAt,
    });
  }
  return { rows, findings };
}
