import { invoke } from '../../src/kernel/call/invoke.ts';
import type { DemoAffiliate, DemoPart, Happening } from '../../src/kernel/declare/demo.ts';
import type { Site } from '../../src/kernel/declare/site.ts';
import { listCoupons } from '../../src/modules/coupons/index.ts';
import { changeSettings } from '../../src/modules/settings/index.ts';
import { openLoopbackServer } from '../../src/shared/loopback-server.ts';
import { changePayoutStatus } from './api/change-payout-status.ts';
import { requestPayout } from './api/request-payout.ts';
import { DemoPayPal, STALLED_PAYEE, UNKNOWN_PAYEE } from './demo-paypal.ts';
import { setPayoutDetails } from './details/set-payout-details.ts';
import { followUp } from './payment/follow-up.ts';

/** Destination of each of the first affiliates: a bank account or a PayPal address. */
const DESTINATIONS: readonly ({ iban: string } | { email: string })[] = [
  // IBANs made up for documentation, of five countries.
  { iban: 'DE89370400440532013000' },
  { email: 'tomas@paypal.demo.example' },
  { iban: 'GB29NWBK60161331926819' },
  { iban: 'NL91ABNA0417164300' },
  { email: UNKNOWN_PAYEE },
  { email: STALLED_PAYEE },
  { iban: 'FR1420041010050500013M02606' },
  { iban: 'ES9121000418450200051332' },
];

interface DemoPayout {
  /** Index into the destinations. */
  readonly to: number;
  readonly daysAgo: number;
  /** Decisions of an administrator. PayPal decides on its own payouts. */
  readonly steps?: readonly { daysAgo: number; status: 'created' | 'paid' | 'cancel' }[];
}

const MINUTE = 1 / (24 * 60);
const DETAILS_DAYS_AGO = 84;

const PAYOUTS: readonly DemoPayout[] = [
  { to: 0, daysAgo: 76, steps: [{ daysAgo: 74, status: 'paid' }] },
  { to: 1, daysAgo: 63.4 },
  { to: 3, daysAgo: 52, steps: [{ daysAgo: 50.5, status: 'cancel' }] },
  { to: 0, daysAgo: 45, steps: [{ daysAgo: 42.8, status: 'paid' }] },
  { to: 4, daysAgo: 38.2 },
  { to: 1, daysAgo: 30.6 },
  {
    to: 2,
    daysAgo: 24,
    steps: [
      { daysAgo: 23, status: 'created' },
      { daysAgo: 20.3, status: 'paid' },
    ],
  },
  { to: 0, daysAgo: 14, steps: [{ daysAgo: 12.9, status: 'paid' }] },
  { to: 6, daysAgo: 5.2, steps: [{ daysAgo: 4.1, status: 'created' }] },
  { to: 7, daysAgo: 2.3 },
  { to: 3, daysAgo: 0.4, steps: [{ daysAgo: 18 * MINUTE, status: 'paid' }] },
  { to: 4, daysAgo: 25 * MINUTE },
  { to: 5, daysAgo: 22 * MINUTE },
  { to: 2, daysAgo: 12 * MINUTE },
];

/** When the gateway is polled for the outcome, as the running service does. */
const ASKED_AFTER = 10 * MINUTE;

/** Payouts in every state, with a server that stands in for PayPal. */
export async function openDemoPayouts(): Promise<DemoPart> {
  const paypal = new DemoPayPal();
  const { url, close } = await openLoopbackServer((request) => paypal.reply(request));
  const counts = { payouts: 0 };
  return {
    config: {
      stripeKey: '',
      wiseToken: '',
      paypalUrl: url,
      paypalClientId: 'demo',
      paypalSecret: 'demo',
    },
    happenings(site, affiliates) {
      if (!site.registry.isActive(requestPayout)) return [];
      const save = { daysAgo: DETAILS_DAYS_AGO, happen: () => saveDetails(site, affiliates) };
      return [
        save,
        ...PAYOUTS.flatMap((payout) => payoutHappenings(site, affiliates, payout, counts)),
      ];
    },
    counts: () => counts,
    close,
  };
}

async function saveDetails(site: Site, affiliates: readonly DemoAffiliate[]): Promise<void> {
  await invoke(site, changeSettings, {
    'payouts.methods': ['banktransfer', 'credit', 'paypal'],
    'payouts.auto_accept': true,
    'payouts.auto_accept_max': 5_000,
  });
  for (const [i, to] of DESTINATIONS.entries()) {
    const { id, name } = affiliates[i]!;
    const method =
      'iban' in to
        ? { method_type: 'banktransfer', details: { account_holder: name, iban: to.iban } }
        : { method_type: 'paypal', details: { email: to.email } };
    await invoke(site, setPayoutDetails, { id, ...method });
  }
}

function payoutHappenings(
  site: Site,
  affiliates: readonly DemoAffiliate[],
  { to, daysAgo, steps = [] }: DemoPayout,
  counts: { payouts: number },
): Happening[] {
  let id: number | undefined;
  const request = async () => {
    const coupons = await invoke<{ id: number; unpaid_commission: number }[]>(site, listCoupons, {
      user_id: affiliates[to]!.id,
    });
    const [most] = coupons.toSorted((a, b) => b.unpaid_commission - a.unpaid_commission);
    if (!most || most.unpaid_commission <= 0) return;
    ({ id } = await invoke<{ id: number }>(site, requestPayout, { coupon_id: most.id }));
    counts.payouts += 1;
  };
  const change = async (status: string) => {
    if (id === undefined) return;
    const reference = status === 'paid' && { transaction_id: `SEPA-DEMO-${id}` };
    await invoke(site, changePayoutStatus, { id, status, ...reference });
  };
  return [
    { daysAgo, happen: request },
    { daysAgo: daysAgo - ASKED_AFTER, happen: async () => followUp.run(site) },
    ...steps.map((step) => ({ ...step, happen: () => change(step.status) })),
  ];
}
