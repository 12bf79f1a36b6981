import { createHash } from 'node:crypto';
import type { Reader, Transaction } from '../../../db/database.ts';
import { byText } from '../../../db/statements/keyed-query.ts';
import { insertRows } from '../../../db/statements/rows-query.ts';
import { defineWrites, type PendingWrites } from '../../../db/unit-of-work.ts';
import { perSite, type Site } from '../../../kernel/declare/site.ts';
import { BoundedMap } from '../../../shared/bounded-map.ts';
import { RuleIndex, type RewardRule } from '../../rewards/index.ts';
import type { BaseRules, Rates } from './commission.ts';

/** What decides the rates of an order: the rates of a coupon, and the rules and settings of a moment. */
export interface TermsContent {
  readonly rates: Pick<Rates, 'percent' | 'fixedPerOrder' | 'fixedPerProduct'>;
  readonly productPercents: Readonly<Record<string, number>>;
  readonly base: BaseRules;
  /** The active rules, in their order. */
  readonly rules: readonly RewardRule[];
  /** Which renewals earn where no rule decides: `once`, `always`, or a number of months. */
  readonly renewals?: string;
}

/** Terms as they are used: with the hash under which they are stored, and the index of their rules. */
export interface Terms extends TermsContent {
  readonly hash: string;
  readonly index: RuleIndex | undefined;
  /** The rates of an order that no rule matches; undefined where percentages of products may change them. */
  readonly plainRates: Rates | undefined;
}

/** Terms may have ten thousand percentages of products. */
const CACHED_MAX = 300;

/** Terms by hash. Those of `stored` need not be inserted again. */
const memories = perSite(() => ({
  terms: new BoundedMap<string, Terms>(CACHED_MAX),
  stored: new BoundedMap<string, true>(CACHED_MAX),
}));

/** 128 bits: the terms of all installations together will never have the same one twice. */
const HASH_LENGTH = 22;

export function toTerms(site: Site, content: TermsContent): Terms {
  const text = JSON.stringify(content);
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, HASH_LENGTH);
  return memories(site).terms.get(hash) ?? remember(site, hash, content);
}

/** Stores terms with the transaction, unless they are stored already. */
export function storeTerms(tx: Transaction, site: Site, terms: Terms): void {
  const { stored } = memories(site);
  if (stored.has(terms.hash)) return;
  const { rows } = tx.pending(newTerms);
  // Another order of the transaction may have the same.
  if (rows.has(terms.hash)) return;
  const { hash, index: _, plainRates: _rates, ...content } = terms;
  rows.set(hash, JSON.stringify(content));
  tx.afterCommit(() => stored.set(hash, true));
}

function remember(site: Site, hash: string, content: TermsContent): Terms {
  const index = content.rules.length > 0 ? new RuleIndex(content.rules, site.currency) : undefined;
  const hasProducts = Object.keys(content.productPercents).length > 0;
  const plainRates = hasProducts ? undefined : { ...content.rates, productPercents: {} };
  const terms = { ...content, hash, index, plainRates };
  memories(site).terms.set(hash, terms);
  return terms;
}

interface TermsRow {
  hash: string;
  content: string;
}

class NewTerms implements PendingWrites {
  readonly rows = new Map<string, string>();

  flush(tx: Transaction): Promise<void> {
    return tx.runMany(
      insertTerms,
      Array.from(this.rows, ([hash, content]) => ({ hash, content })),
    );
  }
}

/** Referrals refer to them, so they are written before. */
const newTerms = defineWrites({ name: 'terms', after: 'orders', create: () => new NewTerms() });

const insertTerms = insertRows<TermsRow>('terms', { on: ['hash'] });

const byHash = byText<TermsRow>((db, isKey) =>
  db.selectFrom('terms').select(['hash', 'content']).where(isKey('hash')),
);

/** Reads the terms of referrals; those made before terms were stored have none. */
export async function readTerms(
  db: Reader,
  site: Site,
  referrals: Iterable<{ readonly terms: string | null }>,
): Promise<ReadonlyMap<string, Terms>> {
  const memory = memories(site);
  const found = new Map<string, Terms>();
  const unknown = new Set<string>();
  for (const { terms: hash } of referrals) {
    if (hash === null) continue;
    const known = memory.terms.get(hash);
    if (known) found.set(hash, known);
    else unknown.add(hash);
  }
  if (unknown.size === 0) return found;
  for (const { hash, content } of await db.allByKeys(byHash, [...unknown])) {
    // Only terms are stored there.
    found.set(hash, remember(site, hash, JSON.parse(content) as TermsContent));
    memory.stored.set(hash, true);
  }
  return found;
}
