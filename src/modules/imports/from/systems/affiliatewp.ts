import type { AffiliateItem, Item, RateTerms } from '../model.ts';
import { keysOf, RowError, type Row } from '../row.ts';
import type { System } from '../system.ts';
import { fullName, meaningOf, saysYes } from '../words.ts';

const referralStates = {
  unpaid: ['unpaid'],
  paid: ['paid'],
  pending: ['pending', 'draft'],
  rejected: ['rejected', 'failed'],
} as const;

const payoutStates = {
  paid: ['paid'],
  open: ['processing', 'pending'],
  failed: ['failed', 'cancelled', 'rejected'],
} as const;

const affiliateStates = {
  active: ['active'],
  suspended: ['inactive'],
  applicant: ['pending', 'rejected'],
} as const;

function keys(row: Row) {
  return keysOf({
    id: row.text('Affiliate ID'),
    email: row.text('Email', 'user_email'),
    login: row.text('Username', 'user_login'),
  });
}

function affiliate(row: Row): AffiliateItem {
  return {
    kind: 'affiliate',
    keys: keys(row),
    email: row.text('Email', 'user_email', 'Payment Email'),
    name:
      row.text('Name', 'display_name') ?? fullName(row.text('First Name'), row.text('Last Name')),
    login: row.text('Username', 'user_login'),
  };
}

/** Links name the affiliate by its id or by its user name: `?ref=12`, `?ref=ann`. */
function linkCodes(row: Row): Item[] {
  const owner = keys(row);
  const codes = [row.text('Username', 'user_login'), row.text('Affiliate ID')];
  return codes.flatMap((code) => (code ? [{ kind: 'code', owner, code } as const] : []));
}

/** Payouts name the affiliate as `Ann Lee (#12)`. */
function payoutOwner(row: Row) {
  const id = row.text('Affiliate ID') ?? /\(#(\d+)\)$/.exec(row.text('Affiliate') ?? '')?.[1];
  if (id === undefined) throw new RowError('Affiliate has no number, as in "Ann Lee (#12)"');
  return keysOf({ id });
}

/** `percentage` or `flat`; a flat rate is for each product unless it says otherwise. */
function termsOf(
  row: Row,
  { rate, type, basis }: Record<'rate' | 'type' | 'basis', string>,
): RateTerms | undefined {
  if (row.text(rate) === undefined) return undefined;
  if (row.text(type) !== 'flat') return { percent: row.percent(rate) };
  const amount = row.amount(rate);
  return row.text(basis) === 'per_order' ? { perOrder: amount } : { perProduct: amount };
}

/** The file has percentages as parts of one: 0.2 is 20 %. */
function ownRate(row: Row): Item[] {
  const columns = { rate: 'Rate', type: 'Rate Type', basis: 'Flat Rate Basis' };
  const terms = termsOf(row, columns);
  if (!terms) return [];
  const { percent } = terms;
  const isPart = percent !== undefined && percent <= 1 && !row.text('Rate')!.includes('%');
  // Without the error of a multiplication by 100.
  const whole = isPart ? { percent: Math.round(percent * 1_000_000) / 10_000 } : terms;
  return [{ kind: 'rate', of: 'own', owner: keys(row), terms: whole }];
}

const standardColumns = {
  rate: 'referral_rate',
  type: 'referral_rate_type',
  basis: 'flat_rate_basis',
};

/** The settings, with those of the add-ons for tiers and for recurring referrals. */
function settings(row: Row): Item[] {
  const standard = termsOf(row, standardColumns) ?? { percent: 20 };
  const [isRecurring, hasLimit] = [
    isOn(row.text('recurring')),
    isOn(row.text('recurring_referral_limit_enabled')),
  ];
  const limit = hasLimit ? Number(row.text('recurring_referral_limit') ?? 0) : 0;
  const renewals = termsOf(row, {
    rate: 'recurring_rate',
    type: 'recurring_rate_type',
    basis: 'flat_rate_basis',
  });
  return [
    { kind: 'standard', terms: standard, renewalsApart: !isRecurring || limit > 0 },
    ...tiers(row, standard),
    ...(isRecurring
      ? [
          {
            kind: 'rate',
            of: 'renewals',
            terms: { ...(renewals ?? standard), renewalsTo: limit > 0 ? limit + 1 : null },
          } as const,
        ]
      : []),
  ];
}

const isOn = (text: string | undefined) => saysYes(text) || text === 'on';

/** Tiers count paid referrals or earnings, of the month if they restart on its first day. */
function tiers(row: Row, { percent }: RateTerms): Item[] {
  const used = row.list('rates').filter((tier) => !isOn(tier.text('disabled')));
  if (used.length === 0) return [];
  const types = new Set(used.map((tier) => tier.text('type') ?? 'referrals'));
  if (types.size > 1) {
    throw new RowError('rates: tiers by referrals and by earnings together cannot be one rule');
  }
  if (percent === undefined) throw new RowError('rates: tiers of amounts cannot be a rule');
  const steps = used
    .map((tier) => ({ from: Number(tier.text('threshold')), percent: tier.percent('rate') ?? 0 }))
    .toSorted((a, b) => a.from - b.from);
  const isRising = steps.every(({ from }, i) => from > (steps[i - 1]?.from ?? 0));
  if (!isRising) throw new RowError('rates: each tier must begin after the one before');
  return [
    {
      kind: 'rate',
      of: 'steps',
      terms: {
        steps: {
          by: types.has('earnings') ? 'commission' : 'orders',
          counts: 'granted',
          window: { kind: isOn(row.text('rate-expiration')) ? 'month' : 'always' },
          steps: [{ from: 0, percent }, ...steps],
        },
      },
    },
  ];
}

const productColumns = {
  rate: 'meta: _affwp_woocommerce_product_rate',
  type: 'meta: _affwp_woocommerce_product_rate_type',
  basis: 'flat_rate_basis',
};

/** WooCommerce exports the rates of products as custom meta data. */
function product(row: Row): Item[] {
  const isDisabled = isOn(row.text('meta: _affwp_woocommerce_referrals_disabled'));
  const terms = isDisabled ? { excluded: true as const } : termsOf(row, productColumns);
  const id = row.text('ID');
  return terms && id ? [{ kind: 'rate', of: 'products', product: id, terms }] : [];
}

export const affiliateWp: System = {
  name: 'affiliatewp',
  title: 'AffiliateWP',
  linkParameter: 'ref',
  isOneRate: true,
  files: [
    {
      name: 'payouts',
      needs: ['Payout ID', 'Affiliate|Affiliate ID', 'Amount', 'Status'],
      read: (row) => [
        {
          kind: 'payout',
          owner: payoutOwner(row),
          id: row.text('Payout ID'),
          state: meaningOf('Status', row.text('Status'), payoutStates),
          amount: row.amount('Amount') ?? { minor: 0 },
          reference: row.text('Payout Method'),
          date: row.text('Date'),
        },
      ],
    },
    {
      name: 'referrals',
      needs: ['Affiliate ID', 'Amount', 'Reference', 'Status'],
      read: (row) => [
        affiliate(row),
        {
          kind: 'referral',
          owner: keys(row),
          id: row.text('Referral ID'),
          state: meaningOf('Status', row.text('Status'), referralStates),
          amount: row.amount('Amount') ?? { minor: 0 },
          currency: row.text('Currency'),
          reference: row.text('Reference'),
          date: row.text('Date'),
        },
      ],
    },
    {
      name: 'coupons',
      needs: ['Affiliate ID', 'Coupon Code|Coupon'],
      read: (row) => [
        { kind: 'code', owner: keys(row), code: row.text('Coupon Code', 'Coupon') ?? '' },
      ],
    },
    {
      name: 'affiliates',
      needs: ['Affiliate ID', 'Email|user_email|Payment Email', 'Status'],
      read(row) {
        const unpaid = row.amount('Unpaid Earnings');
        return [
          {
            ...affiliate(row),
            state: meaningOf('Status', row.text('Status'), affiliateStates),
            registered: row.text('Date Registered'),
          },
          ...linkCodes(row),
          ...(unpaid ? [{ kind: 'balance', owner: keys(row), amount: unpaid } as const] : []),
          ...ownRate(row),
        ];
      },
    },
    { name: 'settings', needs: ['referral_rate'], read: settings },
    { name: 'products of WooCommerce, with custom meta', needs: ['ID', 'SKU'], read: product },
  ],
};
