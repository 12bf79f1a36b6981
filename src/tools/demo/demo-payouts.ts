import { invoke } from '../../kernel/call/invoke.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { changeSettings } from '../../modules/settings/index.ts';
import type { Happening } from './demo-clock.ts';
import { STALLED_PAYEE, UNKNOWN_PAYEE } from './demo-partners.ts';

interface Payee {
  id: number;
  name: string;
}

/** How each of the first affiliates is paid: to an account of a bank, or to this PayPal address. */
const DESTINATIONS: readonly ({ iban: string } | { email: string })[] = [
  // IBANs made up for documentation, of three countries.
  { iban: 'DE89370400440532013000' },
  { email: 'tomas@paypal.demo.example' },
  { iban: 'GB29NWBK60161331926819' },
  { iban: 'NL91ABNA0417164300' },
  { email: UNKNOWN_PAYEE },
  { email: STALLED_PAYEE },
  { iban: 'DE89370400440532013000' },
  { iban: 'GB29NWBK60161331926819' },
];

interface DemoPayout {
  /** The place of the affiliate among those above. */
  readonly to: number;
  readonly daysAgo: number;
  /** What an administrator made of it. PayPal decides by itself. */
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

/** When the gateway is asked what has become of a payout, as the running service does by itself. */
const ASKED_AFTER = 10 * MINUTE;

/**
 * Payouts in every state, where the edition has payouts: the command line does not know which add-ons
 * there are.
 */
export class DemoPayouts {
  requested = 0;
  readonly #site: Site;
  readonly #affiliates: readonly Payee[];

  constructor(site: Site, affiliates: readonly Payee[]) {
    this.#site = site;
    this.#affiliates = affiliates;
  }

  happenings(): Happening[] {
    const site = this.#site;
    const find = (id: string) => site.registry.activeOperations().find((op) => op.id === id);
    const setDetails = find('put_affiliates_id_payout-details');
    const request = find('post_payouts');
    const change = find('post_payouts_id_status');
    const list = find('get_coupons');
    if (!setDetails || !request || !change || !list) return [];
    const followUp = site.registry
      .activeModules()
      .flatMap(({ jobs = [] }) => jobs)
      .find(({ name }) => name === 'payouts.follow-up');

    const saveDetails = async () => {
      await invoke(site, changeSettings, {
        'payouts.methods': ['banktransfer', 'credit', 'paypal'],
        'payouts.auto_accept': true,
        'payouts.auto_accept_max': 5_000,
      });
      for (const [i, to] of DESTINATIONS.entries()) {
        const { id, name } = this.#affiliates[i]!;
        const method =
          'iban' in to
            ? { method_type: 'banktransfer', details: { account_holder: name, iban: to.iban } }
            : { method_type: 'paypal', details: { email: to.email } };
        await invoke(site, setDetails, { id, ...method });
      }
    };

    const payouts = PAYOUTS.flatMap(({ to, daysAgo, steps = [] }): Happening[] => {
      let id: number | undefined;
      const open = async () => {
        // Found by their path, these operations have no type.
        const coupons = (await invoke(site, list, {
          user_id: this.#affiliates[to]!.id,
        })) as { id: number; unpaid_commission: number }[];
        const [most] = coupons.toSorted((a, b) => b.unpaid_commission - a.unpaid_commission);
        if (!most || most.unpaid_commission <= 0) return;
        ({ id } = (await invoke(site, request, { coupon_id: most.id })) as { id: number });
        this.requested += 1;
      };
      const takeStep = async (status: string) => {
        if (id === undefined) return;
        const reference = status === 'paid' && { transaction_id: `SEPA-DEMO-${id}` };
        await invoke(site, change, { id, status, ...reference });
      };
      return [
        { daysAgo, happen: open },
        { daysAgo: daysAgo - ASKED_AFTER, happen: async () => followUp?.run(site) },
        ...steps.map((step) => ({ ...step, happen: () => takeStep(step.status) })),
      ];
    });
    return [{ daysAgo: DETAILS_DAYS_AGO, happen: saveDetails }, ...payouts];
  }
}
