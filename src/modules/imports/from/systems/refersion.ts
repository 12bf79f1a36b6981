import type { Item, ReferralState } from '../model.ts';
import { keysOf, type Row } from '../row.ts';
import type { System } from '../system.ts';
import { fullName, meaningOf, parameterOf } from '../words.ts';

const conversionStates = {
  unpaid: ['approved'],
  pending: ['pending'],
  rejected: ['denied', 'unqualified', 'cancelled'],
  paid: ['paid'],
} as const;

const affiliateStates = {
  active: ['active', 'approved'],
  suspended: ['disabled', 'inactive'],
  applicant: ['pending', 'denied'],
} as const;

const paymentStates = {
  paid: ['paid', 'completed', 'success', 'sent'],
  open: ['pending', 'processing'],
  failed: ['failed', 'cancelled', 'denied', 'returned'],
} as const;

function owner(row: Row) {
  return keysOf({ id: row.text('Affiliate ID'), email: row.text('Affiliate Email') });
}

function mention(row: Row): Item[] {
  const email = row.text('Affiliate Email');
  return email
    ? [
        {
          kind: 'affiliate',
          keys: owner(row),
          email,
          name: row.text('Affiliate Name', 'Affiliate'),
        },
      ]
    : [];
}

function stateOf(row: Row): ReferralState {
  const state = meaningOf('status', row.text('Status', 'Conversion Status'), conversionStates);
  return state === 'unpaid' && row.text('Payment Status')?.toLowerCase() === 'paid'
    ? 'paid'
    : state;
}

export const refersion: System = {
  name: 'refersion',
  title: 'Refersion',
  linkParameter: 'rfsn',
  files: [
    {
      name: 'conversions',
      needs: [
        'conversion_id',
        'affiliate_id|affiliate_email',
        'status|conversion_status',
        'commission_total|commission|total_commission',
      ],
      read(row) {
        if (row.text('Is Test Conversion', 'Test')?.toLowerCase() === 'true') return [];
        return [
          ...mention(row),
          {
            kind: 'referral',
            owner: owner(row),
            id: row.text('Conversion ID'),
            state: stateOf(row),
            amount: row.amount('Commission Total', 'Total Commission', 'Commission') ?? {
              minor: 0,
            },
            sale: row.amount('Order Total', 'Total'),
            currency: row.text('Currency'),
            reference: row.text('Order ID'),
            date: row.text('Created', 'Created At', 'Date', 'Conversion Date'),
          },
        ];
      },
    },
    {
      name: 'payments',
      needs: ['payment_id', 'affiliate_id|affiliate_email', 'amount|total'],
      read: (row) => [
        ...mention(row),
        {
          kind: 'payout',
          owner: owner(row),
          id: row.text('Payment ID'),
          state: meaningOf('status', row.text('Status') ?? 'paid', paymentStates),
          amount: row.amount('Amount', 'Total') ?? { minor: 0 },
          currency: row.text('Currency'),
          reference: row.text('Payment Method', 'Method'),
          date: row.text('Paid', 'Date', 'Created At'),
        },
      ],
    },
    {
      name: 'affiliates',
      needs: [
        'email|email_address',
        'first_name',
        'last_name',
        'status|link|coupon|offer_id|offer',
      ],
      read(row) {
        const email = row.text('Email', 'Email Address');
        const keys = keysOf({ id: row.text('Affiliate ID', 'ID'), email });
        const codes = [
          // The value of the parameter is the number and the code of the affiliate: `1234567.a3y7`.
          parameterOf(row.text('Link', 'Affiliate Link', 'Referral Link'), 'rfsn'),
          ...(row.text('Coupon', 'Coupon Code', 'Coupons') ?? '').split(/[,;\s]+/),
        ];
        return [
          {
            kind: 'affiliate',
            keys,
            email,
            name:
              fullName(row.text('First Name'), row.text('Last Name')) ??
              row.text('Company Name', 'Company'),
            state: meaningOf('status', row.text('Status') ?? 'active', affiliateStates),
            registered: row.text('Created', 'Created At', 'Date Registered'),
          },
          ...codes.flatMap((code): Item[] => (code ? [{ kind: 'code', owner: keys, code }] : [])),
        ];
      },
    },
  ],
};
