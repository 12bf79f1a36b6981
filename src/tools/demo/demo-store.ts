import { invoke } from '../../kernel/call/invoke.ts';
import type { DemoAffiliate, DemoPart, Happening } from '../../kernel/declare/demo.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { createAffiliate } from '../../modules/affiliates/index.ts';
import { checkBonuses } from '../../modules/bonuses/check-bonuses.ts';
import { createCoupon } from '../../modules/coupons/index.ts';
import { createGroup } from '../../modules/groups/index.ts';
import { releaseHeld } from '../../modules/orders/index.ts';
import { mailChanges } from '../../modules/reward-mails/mail-changes.ts';
import { SeededRandom } from '../../shared/seeded.ts';
import { ACCEPTED_APPLICATIONS, applicationHappenings } from './demo-applications.ts';
import type { DemoClock } from './demo-clock.ts';
import type { DemoPartners } from './demo-partners.ts';
import { addDemoRewards } from './demo-rewards.ts';
import { DemoVisits, DAYS } from './demo-visits.ts';

const SEED = 20_260;
const AFFILIATES = 40;
const COUPONS = 60;
const GOLD = 'Gold';
/** The affiliates join in the days before the first click. */
export const DEMO_OPENED_DAYS_AGO = DAYS + 10;

const FIRST_NAMES =
  'Amara Bruno Chloé Dmitri Elif Farah Goran Hana Ines Jonas Keiko Liam Mirela Nils Olga Priya Quentin Rosa Sven Tala Umar Vera Wanda Xavier Yara Zoltan Aisha Björn Camila Diego Esther Felix Greta Hugo Ida Jamal Katya'.split(
    ' ',
  );
const LAST_NAMES =
  'Abara Bianchi Castillo Dubois Eriksen Fischer Garcia Haddad Ivanova Jansen Kowalski Lopez Moreau Novak Olsen Petrov Quinn Ricci Silva Takahashi'.split(
    ' ',
  );
const OCCASIONS = ['SPRING', 'CANDLE', 'GLOW', 'WICK', 'GIFT', 'COZY'];

/** What the demo contains. */
export interface DemoStore {
  affiliates: number;
  coupons: number;
  orders: number;
  clicks: number;
  days: number;
}

/** With the counts of the add-ons, by name. */
export type DemoCounts = DemoStore & Readonly<Record<string, number>>;

/** Fills a store through the operations that a real one uses. Existing affiliates come first. */
export async function fillDemoStore(
  site: Site,
  known: readonly DemoAffiliate[],
  { clock, partners }: { clock: DemoClock; partners: DemoPartners },
): Promise<DemoCounts> {
  const random = new SeededRandom(SEED);
  await invoke(site, createGroup, { name: GOLD, percent_override: '15' });
  await addDemoRewards(
    site,
    known.map(({ id }) => id),
  );
  const more = await createAffiliates(site, clock, random, AFFILIATES - known.length);
  const affiliates = [...known, ...more];
  // Before there are coupons: a new program sends no mails about its first rules.
  await mailChanges.run(site);
  for (const part of partners.parts) await part.prepare?.(site, affiliates);
  const codes = couponCodes(random, affiliates);
  await Promise.all(codes.map((coupon) => invoke(site, createCoupon, coupon)));
  const visits = new DemoVisits(site, random, {
    codes: codes.map(({ code }) => code),
    todayMs: clock.todayMs,
  });
  await clock.passThrough([
    ...visits.happenings(),
    ...dailyJobs(site),
    ...applicationHappenings(site),
    ...partners.parts.flatMap((part) => part.happenings?.(site, affiliates) ?? []),
  ]);
  return {
    affiliates: affiliates.length + ACCEPTED_APPLICATIONS,
    coupons: codes.length + ACCEPTED_APPLICATIONS,
    orders: visits.orders.length,
    clicks: visits.clicks.length,
    ...addedBy(partners.parts),
    days: DAYS,
  };
}

/** The background jobs that grant held commissions and pay bonuses do not run while the demo is filled. */
function dailyJobs(site: Site): Happening[] {
  return Array.from({ length: DAYS }, (_, daysAgo) => ({
    daysAgo,
    happen: async () => {
      await releaseHeld.run(site);
      await checkBonuses.run(site);
    },
  }));
}

async function createAffiliates(
  site: Site,
  clock: DemoClock,
  random: SeededRandom,
  count: number,
): Promise<DemoAffiliate[]> {
  const people = FIRST_NAMES.slice(0, count).map((first) => {
    const name = `${first} ${random.pick(LAST_NAMES)}`;
    const login = plain(first).toLowerCase();
    return {
      login,
      email: `${login}@demo.example`,
      display_name: name,
      groups: random.happens(0.15) ? [GOLD] : [],
      profile: { website: `https://${plain(name).toLowerCase().replaceAll(' ', '-')}.example` },
    };
  });
  const made: DemoAffiliate[] = [];
  for (const [i, person] of people.entries()) {
    clock.moveTo(DEMO_OPENED_DAYS_AGO - ((DEMO_OPENED_DAYS_AGO - DAYS) * (i + 1)) / people.length);
    const { id } = await invoke<{ id: number }>(site, createAffiliate, person);
    made.push({ id, name: person.display_name });
  }
  return made;
}

/** One coupon per affiliate, then second ones, starting with the first affiliate. */
function couponCodes(random: SeededRandom, affiliates: readonly DemoAffiliate[]) {
  return Array.from({ length: COUPONS }, (_, i) => {
    const { id, name } = affiliates[i % affiliates.length]!;
    const first = plain(name.split(' ')[0]!).toUpperCase();
    const isFirst = i < affiliates.length;
    return {
      code: isFirst ? `${first}10` : `${first}-${random.pick(OCCASIONS)}`,
      user_id: id,
      ...(!isFirst &&
        random.happens(0.3) && { percent_override: random.pick(['8', '12.5', '20']) }),
      ...(!isFirst && random.happens(0.2) && { fixed_per_order: '1' }),
    };
  });
}

/** Letters without their accents. */
function plain(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '');
}

function addedBy(parts: readonly DemoPart[]): Record<string, number> {
  return Object.fromEntries(parts.flatMap((part) => Object.entries(part.counts?.() ?? {})));
}
