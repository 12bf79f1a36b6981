import { invoke } from '../kernel/invoke.ts';
import type { Site } from '../kernel/site.ts';

/** Where each of the first affiliates' payouts ends up. */
const ENDS = ['paid', 'pending', 'created', 'paid', 'cancel', 'pending', 'paid'];

/** IBANs made up for documentation, of three countries. */
const IBANS = ['DE89370400440532013000', 'GB29NWBK60161331926819', 'NL91ABNA0417164300'];

interface Payee {
  id: number;
  name: string;
}

/**
 * Payouts in every state that people can bring them to, where the edition has payouts: the command
 * line does not know which add-ons there are.
 */
export async function payDemo(site: Site, affiliates: readonly Payee[]): Promise<number> {
  const find = (id: string) => site.registry.activeOperations().find((op) => op.id === id);
  const setDetails = find('put_affiliates_id_payout-details');
  const request = find('post_payouts');
  const change = find('post_payouts_id_status');
  const list = find('get_coupons');
  if (!setDetails || !request || !change || !list) return 0;

  let made = 0;
  for (const [i, { id, name }] of affiliates.slice(0, ENDS.length).entries()) {
    const details = { account_holder: name, iban: IBANS[i % IBANS.length] };
    await invoke(site, setDetails, { id, method_type: 'banktransfer', details });
    const coupons = await invoke<{ id: number; unpaid_commission: number }[]>(site, list, {
      user_id: id,
    });
    const owed = coupons.find(({ unpaid_commission }) => unpaid_commission > 0);
    if (!owed) continue;
    const payout = await invoke<{ id: number }>(site, request, { coupon_id: owed.id });
    made += 1;
    const status = ENDS[i]!;
    if (status === 'pending') continue;
    const reference = status === 'paid' && { transaction_id: `SEPA-DEMO-${payout.id}` };
    await invoke(site, change, { id: payout.id, status, ...reference });
  }
  return made;
}
