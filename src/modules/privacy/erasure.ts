import type { Reader, Transaction } from '../../db/database.ts';
import type { Caller } from '../../kernel/declare/caller.ts';
import { Point } from '../../kernel/declare/point.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { UserRow } from '../users/index.ts';

export interface ErasureContext {
  readonly site: Site;
  /** The administrator. */
  readonly caller: Caller;
  /** As it was before. */
  readonly user: UserRow;
  readonly nowMs: number;
}

/** How a module erases what it stores about a person. Figures and the ledger stay. */
export interface PersonErasure {
  /** Money that must be settled first, in major units, or numbers of what is open: all zero if nothing is. */
  openMoney?(db: Reader, site: Site, userId: number): Promise<Record<string, number>>;
  erase(tx: Transaction, context: ErasureContext): Promise<void>;
}

export const personErasures = new Point<PersonErasure>('person erasures');
