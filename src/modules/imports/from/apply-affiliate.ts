import type { Reader, Transaction } from '../../../db/database.ts';
import { query } from '../../../db/statements/query.ts';
import { system as systemCaller } from '../../../kernel/declare/caller.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { addAffiliate, enrollUser } from '../../affiliates/index.ts';
import { addCoupon, findCouponsOf, foldCode, freeCode } from '../../coupons/index.ts';
import type { RateColumns } from '../../groups/index.ts';
import { findUser, findUserByName, isAnonymised, type UserRow } from '../../users/index.ts';
import { findLinkedUser, type NewImportLink } from '../import-rows.ts';
import { externalIdOf, type AffiliateGroup } from './affiliate-groups.ts';
import type { LineOutcome, ReportedLine } from './reported-line.ts';
import type { System } from './system.ts';

export interface ApplyContext {
  readonly site: Site;
  readonly system: System;
  /** 0 in a dry run, which has no import that rows could refer to. */
  readonly importId: number;
  readonly invite: boolean;
  readonly nowMs: number;
}

/** What to report of a line. The transaction may run twice, so it is reported after the commit. */
export interface Finding {
  readonly line: ReportedLine;
  readonly outcome?: LineOutcome;
  readonly message?: string;
}

export interface AppliedAffiliate {
  readonly userId: number | undefined;
  readonly findings: Finding[];
  readonly links: NewImportLink[];
  /** The coupon that an opening balance goes to. */
  readonly couponId: number | undefined;
}

const activeByCode = query<{ code_folded: string }, { id: number }>(
  (db, p, _given, { unindexed }) =>
    db
      .selectFrom('coupons')
      .select('id')
      .where('code_folded', '=', p.code_folded)
      .where(unindexed('status'), '=', 'active')
      .limit(1),
);

/** Finds or creates the user of an affiliate, and its codes. */
export async function applyAffiliate(
  tx: Transaction,
  context: ApplyContext,
  group: AffiliateGroup,
  seen: ReadonlySet<number>,
): Promise<AppliedAffiliate> {
  const { system } = context;
  const findings: Finding[] = [];
  const refuse = (outcome: LineOutcome, message: string): AppliedAffiliate => {
    const lines = new Set([...group.lines, ...group.codes.map(({ line }) => line)]);
    for (const line of lines) {
      if (line.outcome === undefined && !isHistory(line)) findings.push({ line, outcome, message });
    }
    return { userId: undefined, findings, links: [], couponId: undefined };
  };
  if (group.state === 'applicant') return refuse('skipped', `never accepted in ${system.title}`);
  const existing = await findExisting(tx, system, group);
  if (!existing && !group.email) {
    return refuse('refused', 'has no email address, and no earlier import knows this affiliate');
  }
  if (existing && seen.has(existing.id)) {
    return refuse('skipped', `another affiliate of these files is ${existing.login} here already`);
  }
  if (existing && isAnonymised(existing)) return refuse('skipped', 'has been erased here');
  const user = existing ?? (await create(tx, context, group));
  const messages = existing ? [`joined with the login ${user.login}`] : [`login ${user.login}`];
  if (existing) await enroll(tx, context, existing, group);
  const codes = await applyCodes(tx, context, group, user, findings);
  if (codes.created.length > 0) messages.push(`codes ${codes.created.join(', ')}`);
  const line = group.lines.find(({ kind, outcome }) => kind === 'affiliate' && !outcome);
  if (line) {
    const changed = codes.created.length > 0 ? 'changed' : 'known';
    findings.push({ line, outcome: existing ? changed : 'new', message: messages.join('; ') });
  }
  const link = newLink(context, group, user.id);
  return {
    userId: user.id,
    findings,
    links: [{ ...link, created: existing ? 0 : 1 }, ...codes.links],
    couponId: codes.couponId,
  };
}

/** Referrals and payouts get their outcome later. */
function isHistory({ kind }: ReportedLine): boolean {
  return kind === 'referral' || kind === 'payout';
}

/** By the id in the old system if an earlier import has linked it, otherwise by the email address. */
export async function findExisting(
  db: Reader,
  system: System,
  group: AffiliateGroup,
): Promise<UserRow | undefined> {
  const externalId = externalIdOf(group);
  const linked = externalId && (await findLinkedUser(db, system.name, externalId));
  if (linked) return findUser(db, linked);
  const email = group.email ?? emailIn(group);
  return email ? findUserByName(db, email) : undefined;
}

function emailIn({ keys }: AffiliateGroup): string | undefined {
  for (const key of keys) if (key.startsWith('email:')) return key.slice('email:'.length);
  return undefined;
}

async function create(
  tx: Transaction,
  { site, invite, nowMs }: ApplyContext,
  group: AffiliateGroup,
): Promise<Pick<UserRow, 'id' | 'login'>> {
  const email = group.email!;
  const login = await freeLogin(tx, group.login ?? email.split('@')[0]!);
  const name = group.name?.replaceAll(/\p{Cc}/gu, ' ').trim();
  const website =
    group.website && /^https?:\/\/[^\s"<>]+$/.test(group.website) ? group.website : '';
  const id = await addAffiliate(
    tx,
    site,
    systemCaller,
    {
      login,
      email,
      ...(name && { display_name: [...name].slice(0, 100).join('') }),
      passwordHash: null,
      profile: { website: website.slice(0, 2048) },
      status: group.state === 'suspended' ? 'suspended' : 'active',
      registered_at: group.registeredAt,
      extras: { invite: invite && group.state !== 'suspended' },
    },
    nowMs,
  );
  return { id, login };
}

const LOGIN_LENGTH_MAX = 50;

/** A login that no user has, like the wanted one. */
async function freeLogin(tx: Transaction, wanted: string): Promise<string> {
  const ascii = wanted
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-');
  const base = ascii.replace(/^[._-]+/, '').slice(0, LOGIN_LENGTH_MAX) || 'affiliate';
  for (let n = 1; ; n += 1) {
    const login = n === 1 ? base : `${base}-${n}`;
    if (!(await findUserByName(tx, login))) return login;
  }
}

/** A customer becomes an affiliate; administrators keep their role and get the codes. */
async function enroll(
  tx: Transaction,
  { site, nowMs }: ApplyContext,
  user: UserRow,
  { website }: AffiliateGroup,
): Promise<void> {
  if (user.role !== 'customer') return;
  await enrollUser(tx, site, systemCaller, user, website ? { website } : {}, nowMs);
}

/** Creates the codes that the user does not have. One that belongs to another affiliate is refused. */
async function applyCodes(
  tx: Transaction,
  context: ApplyContext,
  group: AffiliateGroup,
  user: Pick<UserRow, 'id' | 'login'>,
  findings: Finding[],
) {
  const { site, nowMs } = context;
  const own = await findCouponsOf(tx, user.id);
  const created: string[] = [];
  const links: NewImportLink[] = [];
  let couponId: number | undefined;
  const add = async (code: string, rates: Partial<RateColumns> = {}) => {
    const values = { code, user_id: user.id, rates };
    const coupon = await addCoupon(tx, site, systemCaller, values, nowMs);
    links.push({
      ...newLink(context, group, user.id),
      kind: 'code',
      coupon_id: coupon.id,
      created: 1,
    });
    created.push(code);
    couponId ??= coupon.id;
  };
  for (const { code, line, rates } of group.codes) {
    const isCode = line.kind === 'code';
    const known = own.find((coupon) => coupon.code_folded === foldCode(code));
    if (known) {
      couponId ??= known.id;
      if (isCode) findings.push({ line, outcome: 'known' });
      if (rates) {
        const message = `the coupon ${code} is there already and keeps its rates`;
        findings.push({ line: rates.line, outcome: 'known', message });
      }
    } else if (await tx.first(activeByCode, { code_folded: foldCode(code) })) {
      const message = `the code ${code} belongs to another coupon here and is left out`;
      findings.push({ line, message, ...(isCode && { outcome: 'refused' as const }) });
    } else {
      await add(code, rates?.columns);
      if (isCode) findings.push({ line, outcome: 'new' });
      if (rates) {
        const message = `the coupon ${code} earns ${ratesText(rates.columns, site)}`;
        findings.push({ line: rates.line, outcome: 'new', message });
      }
    }
  }
  couponId ??= own[0]?.id;
  // A balance needs a coupon, and an affiliate without a code could not earn.
  if (couponId === undefined) await add(await freeCode(tx, user.login));
  return { created, links, couponId };
}

function ratesText({ percent, ...amounts }: RateColumns, { currency }: Site): string {
  const text = (minor: number | null, unit: string) =>
    minor === null ? [] : [`${currency.toMajor(minor)} ${currency.code} per ${unit}`];
  return [
    ...(percent === null ? [] : [`${percent}%`]),
    ...text(amounts.fixed_per_order, 'order'),
    ...text(amounts.fixed_per_product, 'product'),
  ].join(' and ');
}

/** The row that links a user with its affiliate in the old system. */
export function newLink(
  { importId, system }: ApplyContext,
  group: AffiliateGroup,
  userId: number,
): NewImportLink {
  return {
    import_id: importId,
    system: system.name,
    kind: 'affiliate',
    external_id: externalIdOf(group),
    user_id: userId,
    coupon_id: null,
    created: 0,
    amount: 0,
    entry_id: null,
    undone_entry_id: null,
  };
}
