import type { Reader } from '../../db/database.ts';
import { Point } from '../../kernel/declare/point.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { UserRow } from '../users/index.ts';

/** What a module stores about a person. Secrets are left out, and payout details are masked. */
export interface PersonalData {
  /** The field of the export. */
  readonly section: string;
  read(db: Reader, site: Site, user: UserRow): Promise<unknown>;
}

export const personalData = new Point<PersonalData>('personal data');
