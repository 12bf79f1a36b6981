import type { Item } from '../model.ts';
import { keysOf, type Row } from '../row.ts';
import type { System } from '../system.ts';
import { meaningOf } from '../words.ts';

const payoutStates = {
  paid: ['paid'],
  open: ['pending', 'created', 'processing'],
  failed: ['cancel', 'cancelled', 'reversed', 'failed'],
} as const;

/** States of the store's orders. */
const orderStates = {
  approved: ['completed', 'wc-completed'],
  pending: ['processing', 'on-hold', 'on hold', 'pending', 'pending payment', 'wc-processing'],
  rejected: ['cancelled', 'refunded', 'failed', 'trash'],
  paid: ['paid'],
} as const;

/** The rates of a line; undefined if it has none. */
function termsOf(row: Row, ...columns: [percent: string, perOrder: string, perProduct: string]) {
  const [percent, perOrder, perProduct] = [
    row.percent(columns[0]),
    row.amount(columns[1]),
    row.amount(columns[2]),
  ];
  const isEmpty = [percent, perOrder, perProduct].every((rate) => rate === undefined);
  return isEmpty ? undefined : { percent, perOrder, perProduct };
}

export const couponAffiliates: System = {
  name: 'coupon-affiliates',
  title: 'Coupon Affiliates',
  linkParameter: 'coupon',
  files: [
    {
      name: 'affiliate users',
      needs: ['User ID', 'Username', 'Email', 'Affiliate Coupons|Coupons'],
      read(row) {
        const owner = keysOf({
          id: row.text('User ID'),
          email: row.text('Email'),
          login: row.text('Username'),
        });
        const codes = (row.text('Affiliate Coupons', 'Coupons') ?? '').split(/[,\s]+/);
        // The column is named after payouts and holds the unpaid commission.
        const unpaid = row.amount('Unpaid Commission', 'Commission Payouts');
        return [
          {
            kind: 'affiliate',
            keys: owner,
            email: row.text('Email'),
            name: row.text('Display Name'),
            login: row.text('Username'),
            state: 'active',
          },
          ...codes.filter(Boolean).map((code): Item => ({ kind: 'code', owner, code })),
          ...(unpaid ? [{ kind: 'balance', owner, amount: unpaid } as const] : []),
        ];
      },
    },
    {
      name: 'bulk edit of coupons',
      needs: ['Coupon ID', 'Coupon Name', 'Affiliate Username'],
      read(row) {
        const [login, code] = [row.text('Affiliate Username'), row.text('Coupon Name')];
        if (!login || !code) return [];
        // The currency between the words is the store's: "Commission £ - Order".
        const terms = termsOf(row, 'Commission Percent', 'Commission Order', 'Commission Product');
        return [{ kind: 'code', owner: keysOf({ login }), code, ...(terms && { terms }) }];
      },
    },
    {
      name: 'bulk edit of products',
      needs: ['Product ID', 'Commission Percent', 'Commission Fixed'],
      read(row) {
        const terms = termsOf(row, 'Commission Percent', '', 'Commission Fixed');
        const product = row.text('Product ID');
        return terms && product ? [{ kind: 'rate', of: 'products', product, terms }] : [];
      },
    },
    {
      name: 'payouts table',
      needs: ['id', 'userid', 'amount', 'status', 'date'],
      read: (row) => [
        {
          kind: 'payout',
          owner: keysOf({ id: row.text('userid') }),
          id: row.text('id'),
          state: meaningOf('status', row.text('status'), payoutStates),
          amount: row.amount('amount') ?? { minor: 0 },
          reference: row.text('method'),
          date: row.text('datepaid', 'date'),
        },
      ],
    },
    {
      name: 'referrals',
      needs: ['ID|Order ID', 'Order Status', 'Coupon Code', 'Affiliate Commission|Commission'],
      read(row) {
        const id = row.text('ID', 'Order ID')?.replace(/^#/, '');
        return [
          {
            kind: 'referral',
            owner: keysOf({ code: row.text('Coupon Code'), login: row.text('Affiliate User') }),
            id: id && `${id} ${row.text('Coupon Code') ?? ''}`.toLowerCase(),
            state: meaningOf('Order Status', row.text('Order Status'), orderStates),
            amount: row.amount('Affiliate Commission', 'Commission') ?? { minor: 0 },
            sale: row.amount('Order Total'),
            reference: id,
            date: row.text('Order Date'),
          },
        ];
      },
    },
  ],
};
