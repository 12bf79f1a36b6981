import type { SiteCalendar } from '../../../shared/dates.ts';
import { isEmailAddress } from '../../../shared/email-address.ts';
import type { RateColumns } from '../../groups/index.ts';
import { instantOf } from './dates.ts';
import type { AffiliateItem, AffiliateKey, AffiliateState } from './model.ts';
import type { ReportedLine } from './reported-line.ts';
import { RowError } from './row.ts';

/** As `CouponCode` of the API has it. */
const CODE = /^[^\s\p{Cc}]{1,50}$/u;

/** A code with the rates of its own that a file has for it. */
interface GroupCode {
  readonly code: string;
  readonly line: ReportedLine;
  /** With the line that has them. */
  rates?: { readonly columns: RateColumns; readonly line: ReportedLine } | undefined;
}

/** An affiliate as all files together describe it. */
export interface AffiliateGroup {
  readonly keys: Set<AffiliateKey>;
  /** The lines that describe it; the first one gets the outcome. */
  readonly lines: ReportedLine[];
  readonly codes: GroupCode[];
  /** The campaigns of the old system, by id. */
  readonly campaigns: Set<string>;
  email?: string | undefined;
  name?: string | undefined;
  login?: string | undefined;
  website?: string | undefined;
  state?: AffiliateState | undefined;
  registeredAt?: number | undefined;
  /** Amounts in the smallest unit: owed as a file states it, as referrals and payouts give it, not yet approved. */
  stated?: number;
  computed?: number;
  pending: number;
  /** Approved, where no file says what of it has been paid. */
  unknown: number;
}

/** What the old system owes: as a file states it, before what the referrals give. */
export function owedTo({ stated, computed }: AffiliateGroup): number | undefined {
  return stated ?? computed;
}

/** The id in the old system, by which a later import finds the affiliate again; empty where it has none. */
export function externalIdOf({ keys }: AffiliateGroup): string {
  for (const key of keys) if (key.startsWith('id:')) return key.slice('id:'.length);
  return '';
}

/** Joins what the files say about the same affiliate: rows that share an id, an address or a login. */
export class AffiliateGroups {
  readonly #byKey = new Map<AffiliateKey, AffiliateGroup>();
  readonly #all = new Set<AffiliateGroup>();
  readonly #owners = new Map<string, AffiliateGroup>();
  readonly #context: { calendar: SiteCalendar; nowMs: number };

  constructor(context: { calendar: SiteCalendar; nowMs: number }) {
    this.#context = context;
  }

  all(): AffiliateGroup[] {
    return [...this.#all];
  }

  add(item: AffiliateItem, line: ReportedLine): void {
    const email = item.email?.trim();
    if (email !== undefined && !isEmailAddress(email)) {
      line.messages.push(`"${email}" is no email address`);
      if (line.kind === 'affiliate') line.outcome = 'refused';
      return;
    }
    const group = this.#groupOf(item.keys);
    if (line.kind === 'affiliate') {
      const first = group.lines.find(({ kind }) => kind === 'affiliate');
      if (first) {
        line.outcome = 'known';
        line.messages.push(`the same affiliate as line ${first.line} of ${first.file}: joined`);
      }
    }
    group.lines.push(line);
    group.email ??= email;
    group.name ??= item.name;
    group.login ??= item.login;
    group.website ??= item.website;
    // An affiliate that is active in one of several rows is active.
    if (item.state === 'active' || group.state === undefined)
      group.state = item.state ?? group.state;
    const { calendar, nowMs } = this.#context;
    const registered = item.registered && instantOf(item.registered, calendar);
    if (registered) group.registeredAt ??= Math.min(registered, nowMs);
    for (const campaign of item.campaigns ?? []) group.campaigns.add(campaign);
  }

  /** The affiliate that an item names. One that no row describes may be known from an earlier import. */
  ownerOf(keys: readonly AffiliateKey[], line: ReportedLine): AffiliateGroup {
    for (const key of keys) {
      const group = this.#byKey.get(key);
      if (group) return group;
    }
    if (!keys.some((key) => key.startsWith('id:') || key.startsWith('email:'))) {
      const named = keys.map((key) => key.replace(':', ' ')).join(', ');
      throw new RowError(`belongs to no affiliate of these files: ${named || 'none is named'}`);
    }
    const group = this.#groupOf(keys);
    group.lines.push(line);
    return group;
  }

  addCode(group: AffiliateGroup, code: string, line: ReportedLine, columns?: RateColumns): void {
    if (!CODE.test(code))
      throw new RowError(`"${code}" cannot be a code: at most 50 characters, no spaces`);
    const folded = code.toLowerCase();
    const owner = this.#owners.get(folded);
    const rates = columns && { columns, line };
    if (owner === group) {
      const known = group.codes.find((one) => one.code.toLowerCase() === folded)!;
      known.rates ??= rates;
      return;
    }
    if (owner) throw new RowError(`the code ${code} belongs to another affiliate of these files`);
    this.#owners.set(folded, group);
    group.codes.push({ code, line, rates });
    if (!this.#byKey.has(`code:${folded}`)) this.#byKey.set(`code:${folded}`, group);
  }

  #groupOf(keys: readonly AffiliateKey[]): AffiliateGroup {
    const known = [...new Set(keys.flatMap((key) => this.#byKey.get(key) ?? []))];
    const group = known[0] ?? newGroup();
    for (const other of known.slice(1)) this.#merge(group, other);
    for (const key of keys) {
      group.keys.add(key);
      this.#byKey.set(key, group);
    }
    this.#all.add(group);
    return group;
  }

  /** A row has shown that two groups are the same affiliate. Codes are added later. */
  #merge(group: AffiliateGroup, other: AffiliateGroup): void {
    for (const key of other.keys) {
      group.keys.add(key);
      this.#byKey.set(key, group);
    }
    group.lines.push(...other.lines);
    group.email ??= other.email;
    group.name ??= other.name;
    group.login ??= other.login;
    group.website ??= other.website;
    group.state = other.state === 'active' ? 'active' : (group.state ?? other.state);
    group.registeredAt ??= other.registeredAt;
    for (const campaign of other.campaigns) group.campaigns.add(campaign);
    this.#all.delete(other);
  }
}

function newGroup(): AffiliateGroup {
  return {
    keys: new Set(),
    lines: [],
    codes: [],
    campaigns: new Set(),
    pending: 0,
    unknown: 0,
  };
}
