/** Sites that collect codes for anyone to use. */
export const COUPON_SITES: string[] = [
  'capitaloneshopping.com',
  'chollometro.com',
  'couponbirds.com',
  'couponfollow.com',
  'coupert.com',
  'cuponation.com',
  'cuponomia.com.br',
  'dealabs.com',
  'dealspotr.com',
  'dontpayfull.com',
  'goodshop.com',
  'gutscheinsammler.de',
  'hotdeals.com',
  'igraal.com',
  'joinhoney.com',
  'knoji.com',
  'lovecoupons.com',
  'ma-reduc.com',
  'mydealz.de',
  'offers.com',
  'pelando.com.br',
  'pepper.pl',
  'picodi.com',
  'poulpeo.com',
  'promocodes.com',
  'radins.com',
  'retailmenot.com',
  'savings.com',
  'simplycodes.com',
  'slickdeals.net',
  'sparwelt.de',
  'vouchercodes.co.uk',
  'wethrift.com',
];

/** One click may be the affiliate's own, who has found the code there. */
const CLICKS_MIN = 3;

interface SiteFigures {
  readonly what: 'site';
  readonly host: string;
  readonly clicks: number;
}

/** Whether a host is a site of a list, or below one. */
export function isCouponSite(host: string, sites: readonly string[]): boolean {
  return sites.some((site) => host === site || host.endsWith(`.${site}`));
}

/** Whether enough clicks of a code on a day came from coupon sites. The most frequent host is named. */
export function fromCouponSites(
  clicksByHost: ReadonlyMap<string, number>,
): SiteFigures | undefined {
  const found = [...clicksByHost].toSorted(([, a], [, b]) => b - a);
  const clicks = found.reduce((total, [, count]) => total + count, 0);
  return found[0] && clicks >= CLICKS_MIN ? { what: 'site', host: found[0][0], clicks } : undefined;
}
