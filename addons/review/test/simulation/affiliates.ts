import type { Chance } from './chance.ts';

/** A day of an affiliate with one code. */
export interface SimulatedDay {
  orders: number;
  unlinked: number;
  clicks: number;
  conversions: number;
  /** Orders of the day that are refunded by the day that is simulated. */
  refunded: number;
}

/** A refund that comes some days after its order. */
export interface Refund {
  readonly ordered: number;
  readonly day: number;
}

export interface Affiliate {
  readonly id: number;
  readonly email: string;
  /** The holder of the account that payouts go to. */
  readonly name: string;
  /** The day on which they joined; -1 if that was before the first. */
  readonly joined: number;
  readonly days: SimulatedDay[];
  readonly refunds: Refund[];
  /** Shares of the orders by where their links lead from: honest links carry copied ad parameters rarely. */
  readonly hasCopiedAd: boolean;
}

const WEEK = [0.9, 0.9, 0.95, 1, 1.1, 1.2, 0.95];

/** Seasons of a shop: a slow wave, a sale at the end of November, and December. */
function season(day: number): number {
  const ofYear = day % 365;
  const wave = 1 + 0.2 * Math.sin((2 * Math.PI * ofYear) / 365);
  if (ofYear >= 325 && ofYear < 332) return 3 * wave;
  return ofYear >= 332 && ofYear < 358 ? 1.6 * wave : wave;
}

/**
 * An honest affiliate: a rate with a heavy tail, weeks and seasons, noise that clicks and orders share, and for half of
 * them launches, such as a new video, that make a day many times larger. A fifth has a code that is nearly always used
 * without a link, and a tenth of those, such as podcasts, has hardly any clicks at all.
 */
export function honestAffiliate(chance: Chance, id: number, days: number): Affiliate {
  const rate = Math.min(80, chance.lognormal(0.4, 1.4));
  const isSpoken = chance.happens(0.2);
  const isPodcast = isSpoken && chance.happens(0.1);
  const unlinkedShare = isSpoken ? chance.within(0.75, 0.98) : 0.02 + 0.4 * chance.fraction() ** 2;
  const conversion = Math.min(0.2, chance.lognormal(0.03, 0.5));
  const refundShare = Math.min(0.2, Math.max(0.005, chance.normal(0.06, 0.03)));
  const launches = chance.happens(0.5) ? launchesOf(chance, days) : noLaunches(days);
  const joined = chance.happens(0.3) ? chance.between(0, days - 30) : -1;
  const week = WEEK.map((usual) => usual * chance.within(0.8, 1.2));
  const affiliate: Affiliate = {
    id,
    email: chance.happens(0.3) ? `me@site${id}.shop` : `affiliate${id}@gmail.com`,
    name: `Ann Affiliate${id}`,
    joined,
    days: [],
    refunds: [],
    hasCopiedAd: chance.happens(0.003),
  };
  for (let day = 0; day < days; day += 1) {
    const { size, isLaunch } = launches[day]!;
    const noise = chance.lognormal(1, 0.35);
    const mean = day < joined ? 0 : rate * week[day % 7]! * season(day) * size * noise;
    // Viewers of a new video type the code that they have heard more often than later ones.
    const shift = isLaunch && !isSpoken ? chance.normal(0.05, 0.06) : chance.normal(0, 0.02);
    const share = Math.min(0.99, Math.max(0.01, unlinkedShare + shift));
    const buying = conversion * chance.lognormal(1, 0.25);
    const visits = isPodcast ? (day < joined ? 0 : 0.5) : (mean * (1 - unlinkedShare)) / buying;
    const linked = chance.poisson(isPodcast ? visits * buying : mean * (1 - share));
    addOrders(chance, affiliate, day, {
      linked,
      unlinked: chance.poisson(mean * share),
      clicks: Math.max(linked, chance.poisson(visits)),
      refundShare,
    });
  }
  return affiliate;
}

interface DayInput {
  readonly linked: number;
  readonly unlinked: number;
  readonly clicks: number;
  readonly refundShare: number;
}

/** Adds orders and clicks to a day, and the refunds that follow. */
export function addOrders(
  chance: Chance,
  { days, refunds }: Affiliate,
  day: number,
  { linked, unlinked, clicks, refundShare }: DayInput,
): void {
  const before = days[day] ?? { orders: 0, unlinked: 0, clicks: 0, conversions: 0, refunded: 0 };
  days[day] = {
    orders: before.orders + linked + unlinked,
    unlinked: before.unlinked + unlinked,
    clicks: before.clicks + clicks,
    conversions: before.conversions + linked,
    refunded: 0,
  };
  for (let i = 0; i < linked + unlinked; i += 1) {
    if (chance.happens(refundShare))
      refunds.push({ ordered: day, day: day + chance.between(3, 25) });
  }
}

interface Size {
  size: number;
  isLaunch: boolean;
}

function noLaunches(days: number): Size[] {
  return Array.from({ length: days }, () => ({ size: 1, isLaunch: false }));
}

/** One every three weeks to three months: up to 60 usual days, half of it a day and a bit later. */
function launchesOf(chance: Chance, days: number): Size[] {
  const sizes = noLaunches(days);
  const every = chance.within(20, 90);
  for (let day = chance.between(0, Math.ceil(every)); day < days;) {
    const height = Math.min(60, 3 * (1 - chance.fraction()) ** (-1 / 1.2));
    for (let age = 0; age < 8 && day + age < days; age += 1) {
      const one = sizes[day + age]!;
      one.size += height * 0.5 ** (age / 1.2);
      one.isLaunch = true;
    }
    day += Math.ceil(chance.within(0.5, 1.5) * every);
  }
  return sizes;
}
