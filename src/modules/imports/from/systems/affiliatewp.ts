import type { AffiliateItem, Item } from '../model.ts';
import { keysOf, RowError, type Row } from '../row.ts';
import type { System } from '../system.ts';
import { fullName, meaningOf } from '../words.ts';

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

export const affiliateWp: System = {
  name: 'affiliatewp',
  title: 'AffiliateWP',
  linkParameter: 'ref',
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
        ];
      },
    },
  ],
};
