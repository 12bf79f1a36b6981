import { Point } from '../../kernel/declare/point.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { ProgramTerms } from '../../web-contract/page-props.ts';
import { cookieDays } from '../clicks/index.ts';
import {
  commissionFixedPerOrder,
  commissionFixedPerProduct,
  commissionPercent,
} from '../coupons/index.ts';
import { delayDays, lifetimeAttribution, maxPerOrder } from '../orders/index.ts';

/** What an add-on that pays promises on the program page. Undefined while it pays nothing out. */
export const payoutTerms = new Point<(site: Site) => ProgramTerms['payouts'] | undefined>(
  'program.payout-terms',
);

/** What the program offers, as the settings say it. Amounts are in major units. */
export function programTerms(site: Site): ProgramTerms {
  const { settings, registry } = site;
  const payouts = registry.contributions(payoutTerms).map((read) => read(site))[0];
  return {
    currency: site.currency.code,
    percent: settings.get(commissionPercent),
    fixedPerOrder: settings.get(commissionFixedPerOrder),
    fixedPerProduct: settings.get(commissionFixedPerProduct),
    maxPerOrder: settings.get(maxPerOrder),
    cookieDays: settings.get(cookieDays),
    isForLife: settings.get(lifetimeAttribution),
    holdDays: settings.get(delayDays),
    ...(payouts && { payouts }),
  };
}
