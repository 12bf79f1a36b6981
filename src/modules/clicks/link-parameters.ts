import type { Reader } from '../../db/database.ts';
import { Point } from '../../kernel/declare/point.ts';
import type { Site } from '../../kernel/declare/site.ts';

/** Adds what the store needs, besides the code, to the parameters of a landing page. Those of the link itself win. */
export type CompleteLink = (
  db: Reader,
  site: Site,
  parameters: URLSearchParams,
  code: string,
) => Promise<void>;

/** Add-ons that connect stores contribute the parameters by which a store itself remembers a referral link. */
export const linkParameters = new Point<CompleteLink>('clicks.link-parameters');

export async function completeLink(
  db: Reader,
  site: Site,
  parameters: URLSearchParams,
  code: string,
): Promise<void> {
  for (const complete of site.registry.contributions(linkParameters)) {
    await complete(db, site, parameters, code);
  }
}
