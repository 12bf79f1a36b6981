import type { Compilable, Kysely } from 'kysely';
import type { Reader } from '../../db/database.ts';
import { query } from '../../db/statements/query.ts';
import type { Tables } from '../../db/tables.ts';
import { Point } from '../../kernel/declare/point.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { SiteCalendar } from '../../shared/dates.ts';
import type { UserRow } from '../users/index.ts';

/** What a module stores about a person. Secrets are left out, and payout details are masked. */
export interface PersonalData {
  /** The field of the export. */
  readonly section: string;
  /** Remarks of the team, which may concern others: only in an export that an admin makes and reviews. */
  readonly teamOnly?: true;
  read(db: Reader, site: Site, user: UserRow): Promise<unknown>;
}

export const personalData = new Point<PersonalData>('personal data');

/** Stored times as people read them. */
export function localTimes<K extends string>(
  calendar: SiteCalendar,
  row: Record<K, number | null>,
  names: readonly K[],
): Record<string, string | null> {
  const entries = names.map((name): [string, string | null] => {
    const at = row[name];
    return [name, at === null ? null : calendar.toLocal(at)];
  });
  return Object.fromEntries(entries);
}

/** A section with the rows of a user. `times` are columns; `convert` returns those that are not exported as stored. */
export function rowsOfUser<K extends string, R extends Record<K, number | null>>(
  section: string,
  times: readonly K[],
  select: (db: Kysely<Tables>, userId: number) => Compilable<R>,
  convert?: (row: R, site: Site) => object,
): PersonalData {
  const statement = query<{ user_id: number }, R>((db, p) => select(db, p.user_id));
  return {
    section,
    read: async (db, site, { id }) =>
      (await db.all(statement, { user_id: id })).map((row) => ({
        ...row,
        ...localTimes(site.calendar, row, times),
        ...convert?.(row, site),
      })),
  };
}
