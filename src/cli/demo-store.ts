import { query } from '../db/query.ts';
import { invoke } from '../kernel/invoke.ts';
import type { Site } from '../kernel/site.ts';
import { createAffiliate } from '../modules/affiliates/index.ts';
import { recordClicks } from '../modules/clicks/record-clicks.ts';
import { createCoupon } from '../modules/coupons/index.ts';
import { createGroup } from '../modules/groups/index.ts';
import { batchOrders } from '../modules/orders/batch-orders.ts';
import { Seeded } from '../shared/seeded.ts';
import { ACCEPTED_APPLICATIONS, applyToDemo } from './demo-applications.ts';
import { payDemo } from './demo-payouts.ts';
import { sampleInstants, sampleOrder } from './sample-orders.ts';

const SEED = 20_260;
const AFFILIATES = 40;
const COUPONS = 60;
const ORDERS = 1_500;
const CLICKS = 3_000;
const DAYS = 90;
const FIRST_ORDER = 1_001;
const BATCH = 500;
const GOLD = 'Gold';
/** How long after following a link people order. */
const LINK_MS = 3 * 24 * 60 * 60_000;

const allClicks = query<object, { id: number; clicked_at: number }>((db) =>
  db.selectFrom('clicks').select(['id', 'clicked_at']).orderBy('id'),
);

const FIRST_NAMES =
  'Amara Bruno Chloé Dmitri Elif Farah Goran Hana Ines Jonas Keiko Liam Mirela Nils Olga Priya Quentin Rosa Sven Tala Umar Vera Wanda Xavier Yara Zoltan Aisha Björn Camila Diego Esther Felix Greta Hugo Ida Jamal Katya'.split(
    ' ',
  );
const LAST_NAMES =
  'Abara Bianchi Castillo Dubois Eriksen Fischer Garcia Haddad Ivanova Jansen Kowalski Lopez Moreau Novak Olsen Petrov Quinn Ricci Silva Takahashi'.split(
    ' ',
  );
const OCCASIONS = ['SPRING', 'CANDLE', 'GLOW', 'WICK', 'GIFT', 'COZY'];
const CAMPAIGNS = ['newsletter', 'blog', 'instagram', 'youtube', ''];

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
export async function fillDemoStore(site: Site, known: readonly Affiliate[]): Promise<DemoStore> {
  const random = new Seeded(SEED);
  await invoke(site, createGroup, { name: GOLD, percent_override: '15' });
  const more = await createAffiliates(site, random, AFFILIATES - known.length);
  const affiliates = [...known, ...more];
  await buildLine(site, affiliates);
  const codes = couponCodes(random, affiliates);
  await Promise.all(codes.map((coupon) => invoke(site, createCoupon, coupon)));
  const all = codes.map(({ code }) => code);
  const clicks = await sendClicks(site, random, all);
  const orders = await sendOrders(site, random, all);
  const payouts = await payDemo(site, affiliates);
  await applyToDemo(site);
  return {
    affiliates: affiliates.length + ACCEPTED_APPLICATIONS,
    coupons: codes.length + ACCEPTED_APPLICATIONS,
    orders,
    clicks,
    payouts,
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

async function createAffiliates(site: Site, random: Seeded, count: number): Promise<Affiliate[]> {
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
  const made = await Promise.all(
    people.map((person) => invoke<{ id: number }>(site, createAffiliate, person)),
  );
  return made.map(({ id }, i) => ({ id, name: people[i]!.display_name }));
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

async function sendOrders(site: Site, random: Seeded, codes: readonly string[]): Promise<number> {
  const nowMs = site.clock();
  const instant = sampleInstants(random, ORDERS, DAYS, nowMs);
  const clicks = await site.database.read.all(allClicks, {});
  const orders = Array.from({ length: ORDERS }, (_, i) => {
    const placedAtMs = instant(i);
    const used = random.happens(0.8) ? [random.pickPopular(codes)] : [];
    const order = sampleOrder(random, site.currency, {
      orderId: FIRST_ORDER + i,
      placedAtMs,
      nowMs,
      codes: used,
    });
    const before = clicks.filter(({ clicked_at }) => {
      const sinceMs = placedAtMs - clicked_at;
      return sinceMs > 0 && sinceMs < LINK_MS;
    });
    // Half of those without a coupon have come through a link.
    const throughLink = used.length === 0 && before.length > 0 && random.happens(0.5);
    return throughLink ? { ...order, click_id: random.pick(before).id } : order;
  });
  for (let i = 0; i < orders.length; i += BATCH) {
    await invoke(site, batchOrders, { orders: orders.slice(i, i + BATCH) });
  }
  return orders.length;
}

async function sendClicks(site: Site, random: Seeded, codes: readonly string[]): Promise<number> {
  const instant = sampleInstants(random, CLICKS, DAYS, site.clock());
  const clicks = Array.from({ length: CLICKS }, (_, i) => ({
    code: random.pickPopular(codes),
    campaign: random.pick(CAMPAIGNS),
    visitor: `visitor-${random.between(1, CLICKS)}`,
    date: new Date(instant(i)).toISOString(),
  }));
  for (let i = 0; i < clicks.length; i += BATCH) {
    await invoke(site, recordClicks, { clicks: clicks.slice(i, i + BATCH) });
  }
  return clicks.length;
}

/** Letters without their accents. */
function plain(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '');
}
