import type { Item, RateTerms } from '../model.ts';
import { keysOf, RowError, type Row } from '../row.ts';
import type { System } from '../system.ts';
import { fullName, meaningOf, parameterOf } from '../words.ts';

const commissionStates = {
  pending: ['pending'],
  unpaid: ['due', 'unpaid', 'approved'],
  paid: ['paid'],
  rejected: ['voided', 'void', 'denied'],
} as const;

const payoutStates = {
  paid: ['paid', 'completed'],
  open: ['pending', 'due', 'processing'],
  failed: ['failed', 'voided'],
} as const;

const affiliateStates = {
  active: ['active', 'confirmed'],
  suspended: ['disabled', 'suspicious', 'inactive', 'blocked'],
  applicant: ['pending', 'unconfirmed', 'rejected'],
} as const;

/** In JSON a commission names its affiliate inside the sale that it is for. */
function owner(row: Row) {
  return keysOf({
    id: row.text('Affiliate ID', 'sale_affiliate_id', 'sale_referral_affiliate_id'),
    email: row.text('Affiliate Email', 'sale_affiliate_email', 'sale_referral_affiliate_email'),
  });
}

function mention(row: Row): Item[] {
  const email = row.text(
    'Affiliate Email',
    'sale_affiliate_email',
    'sale_referral_affiliate_email',
  );
  const first = row.text('Affiliate First Name', 'sale_referral_affiliate_first_name');
  const last = row.text('Affiliate Last Name', 'sale_referral_affiliate_last_name');
  if (!email) return [];
  return [{ kind: 'affiliate', keys: owner(row), email, name: fullName(first, last) }];
}

/** A campaign pays for some payments of a customer, or for some months; without a limit for all of them. */
function campaign(row: Row): Item[] {
  const id = row.text('id');
  if (!id) throw new RowError('id is missing');
  const isAmount = row.text('reward_type') === 'amount';
  const [payments, months] = [
    Number(row.text('max_commissions') ?? 0),
    Number(row.text('max_commission_period_months') ?? 0),
  ];
  if (payments > 0 && months > 0) {
    throw new RowError('is limited by payments and by months, and a rule has one limit');
  }
  const terms: RateTerms = {
    ...(isAmount
      ? {
          perOrder: row.cents('commission_amount_cents'),
          currency: row.text('commission_amount_currency'),
        }
      : { percent: row.percent('commission_percent') }),
    limit: payments > 0 ? { payments } : months > 0 ? { months } : undefined,
  };
  if (terms.percent === undefined && !terms.perOrder) throw new RowError('has no commission');
  return row.text('default') === 'true'
    ? [{ kind: 'rate', of: 'everyone', terms }]
    : [{ kind: 'rate', of: 'campaign', campaign: id, terms }];
}

export const rewardful: System = {
  name: 'rewardful',
  title: 'Rewardful',
  linkParameter: 'via',
  isOneRate: true,
  files: [
    { name: 'campaigns', needs: ['reward_type', 'commission_percent'], read: campaign },
    {
      name: 'commissions',
      needs: [
        'amount',
        'currency',
        'state|status',
        'sale_id|sale_amount|sale_sale_amount_cents|campaign|due_at|due_date',
      ],
      read: (row) => [
        ...mention(row),
        {
          kind: 'referral',
          owner: owner(row),
          id: row.text('Commission ID', 'ID'),
          state: meaningOf('state', row.text('State', 'Status'), commissionStates),
          amount: row.cents('Amount') ?? { minor: 0 },
          sale: row.cents('sale_sale_amount_cents', 'Sale Amount'),
          currency: row.text('Currency'),
          reference: row.text('sale_stripe_charge_id', 'Sale ID', 'Stripe Charge ID'),
          date: row.text('sale_charged_at', 'Created At', 'Date'),
        },
      ],
    },
    {
      name: 'payouts',
      needs: ['amount', 'currency', 'paid_at|state|status', 'affiliate_email|affiliate_id|email'],
      read: (row) => [
        {
          kind: 'payout',
          owner: keysOf({
            id: row.text('Affiliate ID'),
            email: row.text('Affiliate Email', 'Email'),
          }),
          id: row.text('Payout ID', 'ID'),
          state: meaningOf('state', row.text('State', 'Status') ?? 'paid', payoutStates),
          amount: row.cents('Amount') ?? { minor: 0 },
          currency: row.text('Currency'),
          date: row.text('Paid At', 'Created At', 'Date'),
        },
      ],
    },
    {
      name: 'affiliates',
      needs: ['email', 'first_name', 'token|links|state|status'],
      read(row) {
        const keys = keysOf({ id: row.text('ID', 'Affiliate ID'), email: row.text('Email') });
        const codes = [
          row.text('Token', 'Link Token'),
          ...row
            .list('links')
            .map((link) => link.text('token') ?? parameterOf(link.text('url'), 'via')),
          row.text('coupon_token', 'Coupon'),
        ];
        return [
          {
            kind: 'affiliate',
            keys,
            email: row.text('Email'),
            name: fullName(row.text('First Name'), row.text('Last Name')),
            state: meaningOf('state', row.text('State', 'Status') ?? 'active', affiliateStates),
            registered: row.text('Created At', 'Confirmed At'),
            campaigns: [row.text('campaign_id') ?? []].flat(),
          },
          ...codes.flatMap((code): Item[] => (code ? [{ kind: 'code', owner: keys, code }] : [])),
        ];
      },
    },
  ],
};
