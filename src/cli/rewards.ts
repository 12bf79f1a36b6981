import { invoke } from '../kernel/call/invoke.ts';
import { invalidParameter, invalidParameters } from '../kernel/call/parameters.ts';
import { system } from '../kernel/declare/caller.ts';
import type { CommandContext } from '../kernel/declare/command.ts';
import { FieldErrors } from '../kernel/declare/field-errors.ts';
import { NO_ORDER_ID, rollBackOrder, type OrderInput } from '../modules/orders/index.ts';
import { checkOrder, prepareOrder } from '../modules/orders/order-input.ts';
import { listRules } from '../modules/rewards/rule-operations.ts';

export interface TestFlags {
  total: string;
  codes: string;
  referral?: string;
  products: string;
  categories: string;
  tags: string;
  country?: string;
}

export async function list({ withSite, print }: CommandContext): Promise<void> {
  await withSite(async (site) => {
    const found = await invoke(site, listRules);
    const notes = ({ active, hidden_by }: (typeof found.rules)[number]) =>
      (active ? '' : ' (inactive)') + (hidden_by === null ? '' : ` (hidden by rule ${hidden_by})`);
    print(found, () =>
      [
        ...found.rules.map(
          (rule) => `${rule.position}. ${rule.sentence} [rule ${rule.id}]${notes(rule)}`,
        ),
        ...found.built_in.map(({ name, sentence }) => `-  ${sentence} [${name}]`),
      ].join('\n'),
    );
  });
}

export async function test({ withSite, print }: CommandContext, flags: TestFlags): Promise<void> {
  await withSite(async (site) => {
    const errors = new FieldErrors();
    const order = orderOf(flags, site.clock());
    checkOrder(order, errors, site);
    if (!errors.isEmpty) throw invalidParameters(errors.invalid);
    const tried = await rollBackOrder(site, system, prepareOrder(site, order));
    print(tried, () => {
      if (tried.referrals.length === 0) return 'The order is credited to no affiliate.';
      return tried.referrals
        .flatMap(({ coupon_code, affiliate, commission, steps }) => [
          `${commission} ${tried.currency} for ${affiliate.display_name} (${coupon_code})`,
          ...steps.map(({ explanation, amount }) => `  ${explanation} ${amount}`),
        ])
        .join('\n');
    });
  });
}

const split = (text: string) => text.split(',').filter(Boolean);

function orderOf(flags: TestFlags, nowMs: number): OrderInput {
  const total = numberOf('total', flags.total);
  const [category_ids, tag_ids] = [split(flags.categories), split(flags.tags)];
  return {
    order_id: NO_ORDER_ID,
    date: new Date(nowMs).toISOString(),
    status: 'completed',
    total,
    subtotal: total,
    discount: 0,
    shipping: 0,
    tax: 0,
    fees: 0,
    coupon_codes: split(flags.codes),
    ...(flags.referral !== undefined && { referral_code: flags.referral }),
    ...(flags.country !== undefined && { country: flags.country }),
    items: split(flags.products).map((product) => {
      const [product_id = '', amount = ''] = product.split('=');
      const subtotal = numberOf('products', amount);
      return { product_id, category_ids, tag_ids, quantity: 1, subtotal, total: subtotal };
    }),
    refunds: [],
  };
}

function numberOf(name: string, text: string): number {
  const number = Number(text);
  if (text !== '' && number >= 0 && Number.isFinite(number)) return number;
  throw invalidParameter(name, 'needs an amount, such as 12.50');
}
