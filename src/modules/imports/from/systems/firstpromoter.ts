import type { Item, ReferralState } from '../model.ts';
import { keysOf, type Row } from '../row.ts';
import type { System } from '../system.ts';
import { fullName, meaningOf, parameterOf, saysYes } from '../words.ts';
import { readCampaign, readReward } from './firstpromoter-rewards.ts';

const commissionStates = {
  unpaid: ['approved', 'confirmed', 'unpaid'],
  pending: ['pending'],
  rejected: ['denied', 'rejected', 'refunded'],
  paid: ['paid'],
} as const;

const payoutStates = {
  paid: ['completed', 'paid'],
  open: ['pending', 'processing', 'due', 'pending_confirmation'],
  failed: ['failed', 'cancelled', 'canceled'],
} as const;

const promoterStates = {
  active: ['active', 'approved', 'accepted', 'not_set'],
  suspended: ['blocked', 'archived', 'inactive'],
  applicant: ['pending', 'rejected'],
} as const;

function owner(row: Row) {
  return keysOf({
    id: row.text('Promoter ID', 'promoter_campaign_promoter_id'),
    email: row.text('Promoter Email', 'promoter_campaign_promoter_email'),
  });
}

function mention(row: Row): Item[] {
  const email = row.text('Promoter Email', 'promoter_campaign_promoter_email');
  const name = row.text('Promoter Name', 'promoter_campaign_promoter_name');
  return email ? [{ kind: 'affiliate', keys: owner(row), email, name }] : [];
}

function stateOf(row: Row): ReferralState {
  const state = meaningOf('status', row.text('Status'), commissionStates);
  return state === 'unpaid' && saysYes(row.text('Is Paid', 'Paid')) ? 'paid' : state;
}

export const firstPromoter: System = {
  name: 'firstpromoter',
  title: 'FirstPromoter',
  linkParameter: 'fpr',
  isOneRate: true,
  files: [
    { name: 'rewards', needs: ['is_promoter_reward', 'schemas'], read: readReward },
    { name: 'campaigns', needs: ['rewards_for_promoters', 'name'], read: readCampaign },
    {
      name: 'payouts',
      needs: [
        'payout_id|paid_at|period_start|due_date|payout_method',
        'amount',
        'status',
        'promoter_email|promoter_id|promoter_campaign_promoter_email',
      ],
      read: (row) => [
        ...mention(row),
        {
          kind: 'payout',
          owner: owner(row),
          id: row.text('Payout ID', 'ID'),
          state: meaningOf('status', row.text('Status'), payoutStates),
          amount: row.cents('Amount') ?? { minor: 0 },
          currency: row.text('Currency'),
          date: row.text('Paid At', 'Created At', 'Date'),
        },
      ],
    },
    {
      name: 'commissions',
      needs: [
        'amount',
        'status',
        'promoter_email|promoter_id|promoter_campaign_promoter_email',
        'sale_amount|is_paid|paid|referral_id|referral_email',
      ],
      read: (row) => [
        ...mention(row),
        {
          kind: 'referral',
          owner: owner(row),
          id: row.text('Commission ID', 'ID'),
          state: stateOf(row),
          amount: row.cents('Amount') ?? { minor: 0 },
          sale: row.cents('Sale Amount'),
          currency: row.text('Currency'),
          reference: row.text('Event ID', 'Transaction ID', 'Referral ID'),
          date: row.text('Created At', 'Date'),
        },
      ],
    },
    {
      name: 'promoters',
      needs: [
        'email',
        'default_ref_id|ref_id|referral_id|referral_link|promotions|ref_token|promoter_campaigns',
      ],
      read(row) {
        const keys = keysOf({ id: row.text('ID', 'Promoter ID'), email: row.text('Email') });
        // Version 1 of the API has promotions, version 2 has campaigns.
        const memberships = row.list('promoter_campaigns');
        const codes = new Set([
          row.text('default_ref_id', 'Ref ID', 'Referral ID', 'Ref Token') ??
            parameterOf(row.text('Referral Link'), 'fpr'),
          row.text('Promo Code', 'Coupon'),
          ...row
            .list('promotions')
            .flatMap((promotion) => [promotion.text('ref_id'), promotion.text('promo_code')]),
          ...memberships.flatMap((one) => [one.text('ref_token'), one.text('coupon')]),
        ]);
        const balance = row.cents('current_balance_cash', 'Current Balance', 'Unpaid Balance');
        return [
          {
            kind: 'affiliate',
            keys,
            email: row.text('Email'),
            name:
              row.text('Name') ??
              fullName(
                row.text('profile_first_name', 'First Name'),
                row.text('profile_last_name', 'Last Name'),
              ),
            website: row.text('profile_website', 'Website'),
            state: meaningOf('status', row.text('Status', 'State') ?? 'active', promoterStates),
            registered: row.text('Created At', 'Joined At'),
            campaigns: [...row.list('promotions'), ...memberships].flatMap(
              (one) => one.text('campaign_id') ?? [],
            ),
          },
          ...[...codes].flatMap((code): Item[] =>
            code ? [{ kind: 'code', owner: keys, code }] : [],
          ),
          ...(balance ? [{ kind: 'balance', owner: keys, amount: balance } as const] : []),
        ];
      },
    },
  ],
};
