import { invoke } from '../../kernel/call/invoke.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { createAffiliate } from '../../modules/affiliates/index.ts';
import { createCoupon } from '../../modules/coupons/index.ts';
import { createGroup } from '../../modules/groups/index.ts';
import { Seeded } from '../../shared/seeded.ts';
import { ACCEPTED_APPLICATIONS, applicationHappenings } from './demo-applications.ts';
import type { DemoClock } from './demo-clock.ts';
import type { DemoPartners } from './demo-partners.ts';
import { DemoPayouts } from './demo-payouts.ts';
import { DemoVisits, DAYS } from './demo-visits.ts';
import { webhookHappenings } from './demo-webhooks.ts';

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

interface Affiliate {
  id: number;
  name: string;
}

/** How much a demo has made. */
export interface DemoStore {
  affiliates: number;
  coupons: number;
  orders: number;
  clicks: number;
  payouts: number;
  days: number;
}

/** A store in business, through the same operations as a real one. The people there come first. */
export async function fillDemoStore(
  site: Site,
  known: readonly Affiliate[],
  { clock, partners }: { clock: DemoClock; partners: DemoPartners },
): Promise<DemoStore> {
  const random = new Seeded(SEED);
  await invoke(site, createGroup, { name: GOLD, percent_override: '15' });
  const more = await createAffiliates(site, clock, random, AFFILIATES - known.length);
  const affiliates = [...known, ...more];
  await buildLine(site, affiliates);
  const codes = couponCodes(random, affiliates);
  await Promise.all(codes.map((coupon) => invoke(site, createCoupon, coupon)));
  const visits = new DemoVisits(site, random, {
    codes: codes.map(({ code }) => code),
    todayMs: clock.todayMs,
  });
  const payouts = new DemoPayouts(site, affiliates);
  await clock.passThrough([
    ...visits.happenings(),
    ...payouts.happenings(),
    ...applicationHappenings(site),
    ...webhookHappenings(site, partners),
  ]);
  return {
    affiliates: affiliates.length + ACCEPTED_APPLICATIONS,
    coupons: codes.length + ACCEPTED_APPLICATIONS,
    orders: visits.orders.length,
    clicks: visits.clicks.length,
    payouts: payouts.requested,
    days: DAYS,
  };
}

/** The first affiliate above five, and two of those above others: a line of three levels. */
const BELOW: readonly (readonly [child: number, parent: number])[] = [
  [1, 0],
  [5, 0],
  [8, 0],
  [13, 0],
  [21, 0],
  [6, 5],
  [9, 8],
  [10, 6],
];

/** Where the edition has levels: the command line does not know which add-ons there are. */
async function buildLine(site: Site, affiliates: readonly Affiliate[]): Promise<void> {
  const setParent = site.registry
    .activeOperations('store')
    .find(({ id }) => id === 'put_affiliates_id_parent');
  if (!setParent) return;
  for (const [child, parent] of BELOW) {
    const [id, parent_id] = [affiliates[child]!.id, affiliates[parent]!.id];
    await invoke(site, setParent, { id, parent_id });
  }
}

async function createAffiliates(
  site: Site,
  clock: DemoClock,
  random: Seeded,
  count: number,
): Promise<Affiliate[]> {
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
  const made: Affiliate[] = [];
  for (const [i, person] of people.entries()) {
    clock.moveTo(DEMO_OPENED_DAYS_AGO - ((DEMO_OPENED_DAYS_AGO - DAYS) * (i + 1)) / people.length);
    const { id } = await invoke<{ id: number }>(site, createAffiliate, person);
    made.push({ id, name: person.display_name });
  }
  return made;
}

/** One for each affiliate, then second ones beginning with the first affiliate. */
function couponCodes(random: Seeded, affiliates: readonly Affiliate[]) {
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
