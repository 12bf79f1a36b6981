import type { Reader, Transaction } from '../../db/database.ts';
import { requireFound } from '../../kernel/declare/errors.ts';
import type { RequestFacts } from '../../kernel/declare/operation.ts';
import type { Site } from '../../kernel/declare/site.ts';
import {
  bonusSentence,
  missingIn,
  raiseVersion,
  readNames,
  readVersion,
} from '../rewards/index.ts';
import { languageOf } from '../web/index.ts';
import { emitBonusChange, type BonusChange } from './bonus-events.ts';
import { readBonuses, type StoredBonus } from './bonus-rows.ts';
import type { BonusWire } from './bonus-schema.ts';
import { addCheck } from './check-rows.ts';
import { bonusesVersion } from './settings.ts';

/** The list of bonuses while one transaction changes it. */
export interface OpenBonuses {
  readonly bonuses: readonly StoredBonus[];
  /** The version after the change. */
  readonly next: number;
}

/** Locks the list. It is read from the database, because another process may have changed it. */
export async function openBonuses(tx: Transaction, site: Site): Promise<OpenBonuses> {
  await tx.lock('settings');
  const version = await readVersion(tx, site, bonusesVersion);
  return { bonuses: await readBonuses(tx), next: version + 1 };
}

export function requireBonus({ bonuses }: OpenBonuses, id: number): StoredBonus {
  return requireFound(bonuses.find(({ bonus }) => bonus.id === id));
}

/** By then every instance has the new version of the list, and notes which counters move. */
const KNOWN_EVERYWHERE_MS = 60_000;

/** Saves the next version with its event, and has all affiliates checked: some may have reached a changed bonus already. */
export async function finishChange(
  tx: Transaction,
  site: Site,
  { bonuses, next }: OpenBonuses,
  change: BonusChange,
  context: Parameters<typeof raiseVersion>[3],
): Promise<void> {
  const before = { bonuses: bonuses.map(({ bonus }) => bonus) };
  await raiseVersion(tx, site, { of: bonusesVersion, next, before }, context);
  await emitBonusChange(tx, site, change, context);
  const { nowMs } = context;
  const day = site.calendar.dayOf(nowMs);
  for (const due_at of [nowMs, nowMs + KNOWN_EVERYWHERE_MS]) {
    addCheck(tx, { kind: 'all', object_id: 0, day, due_at });
  }
}

/** Bonuses as responses show them: groups by name. */
export async function answerBonuses(
  { db, site, request }: { db: Reader; site: Site; request: RequestFacts },
  bonuses: readonly StoredBonus[],
): Promise<BonusWire[]> {
  const naming = bonuses.map(({ bonus: { who } }) => ({ who, order: {} }));
  const names = await readNames(db, site, naming);
  const language = languageOf(site, request);
  return bonuses.map(({ bonus, version }, i) => {
    const { id, who, ...rest } = bonus;
    const groups = who.groups?.map((group) => names.groups.get(group) ?? group);
    return {
      id,
      version,
      // The lists of a stored bonus are read-only.
      ...(structuredClone({ ...rest, who: { ...who, ...(groups && { groups }) } }) as BonusParts),
      sentence: bonusSentence(bonus, names, language, site),
      missing: missingIn(naming[i]!, names),
    };
  });
}

type BonusParts = Omit<BonusWire, 'id' | 'version' | 'sentence' | 'missing'>;
