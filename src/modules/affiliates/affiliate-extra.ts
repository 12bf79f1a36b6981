import type { TSchema } from 'typebox';
import type { Reader, Transaction } from '../../db/database.ts';
import type { ActiveDeclarations } from '../../kernel/declare/active-declarations.ts';
import type { Caller } from '../../kernel/declare/caller.ts';
import { Point } from '../../kernel/declare/point.ts';
import type { Site } from '../../kernel/declare/site.ts';

/** Fields that another module adds to an affiliate. */
export interface AffiliateExtra {
  /** Fields of the affiliate's own record. */
  readonly fields: Record<string, TSchema>;
  read(db: Reader, site: Site, caller: Caller, id: number): Promise<Record<string, unknown>>;
  /** Optional fields of the body that creates an affiliate. */
  readonly inputs: Record<string, TSchema>;
  /** Stores its inputs, in the transaction that creates the affiliate. */
  created(
    tx: Transaction,
    site: Site,
    caller: Caller,
    affiliate: { id: number; login: string },
    input: Record<string, unknown>,
    nowMs: number,
  ): Promise<void>;
}

export const affiliateExtras = new Point<AffiliateExtra>('affiliates.extras');

/** Runs in the transaction in which a user becomes an affiliate. */
type NewAffiliateHook = (
  tx: Transaction,
  site: Site,
  userId: number,
  nowMs: number,
) => Promise<void>;

export const newAffiliates = new Point<NewAffiliateHook>('affiliates.new');

export async function runNewAffiliateHooks(...[tx, site, ...rest]: Parameters<NewAffiliateHook>) {
  for (const hook of site.registry.contributions(newAffiliates)) await hook(tx, site, ...rest);
}

export function extraFields(
  active: ActiveDeclarations,
  of: 'fields' | 'inputs',
): Record<string, TSchema> {
  const extras = active.contributions(affiliateExtras).map((extra) => Object.entries(extra[of]));
  return Object.fromEntries(extras.flat());
}
