import type { Reader } from '../../db/database.ts';
import { invalidParameters } from '../../kernel/call/parameters.ts';
import { FieldErrors } from '../../kernel/declare/field-errors.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { missingIn, readNames, toStoredWho, type RewardBonus } from '../rewards/index.ts';
import type { NewBonus } from './bonus-rows.ts';
import type { BonusInput } from './bonus-schema.ts';
import { checkBonus } from './check-bonus.ts';

/** The bonus of a request that creates one. */
export function newBonus(db: Reader, site: Site, input: BonusInput): Promise<NewBonus> {
  const { kind } = input.target.window ?? { kind: 'always' };
  const once = kind === 'always' || kind === 'days' ? 'ever' : 'window';
  return withChanges(db, site, { active: true, who: {}, once }, input);
}

/** A bonus with the parts of a request. What these name has to exist; what the others name may be deleted. */
export async function withChanges<B extends Partial<NewBonus> | RewardBonus>(
  db: Reader,
  site: Site,
  bonus: B,
  { who, ...others }: Partial<BonusInput>,
): Promise<B & NewBonus> {
  const errors = new FieldErrors();
  const given = { ...others, ...(who && { who: await toStoredWho(db, who, errors) }) };
  const naming = { who: given.who ?? {}, order: {} };
  for (const { field } of missingIn(naming, await readNames(db, site, [naming]))) {
    errors.invalid[field] ??= 'does not exist';
  }
  // The schema and the check below leave only whole bonuses.
  const changed = { ...bonus, ...given } as B & NewBonus;
  const { target, pays, once } = changed as Partial<BonusInput>;
  // A part of the request and one of the stored bonus may not fit together.
  checkBonus(
    { ...(target && { target }), ...(pays && { pays }), ...(once && { once }) },
    errors,
    site,
  );
  if (!errors.isEmpty) throw invalidParameters(errors.invalid);
  return changed;
}
