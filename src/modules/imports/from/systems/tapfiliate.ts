import type { Item, ReferralState } from '../model.ts';
import { keysOf, type Row } from '../row.ts';
import type { System } from '../system.ts';
import { fullName, meaningOf, parameterOf } from '../words.ts';

const commissionStates = {
  approved: ['approved', 'true', '1'],
  pending: ['pending', ''],
  rejected: ['disapproved', 'rejected', 'false', '0'],
  paid: ['paid'],
} as const;

function owner(row: Row) {
  return keysOf({
    id: row.text('Affiliate ID'),
    email: row.text('Affiliate Email'),
  });
}

function mention(row: Row): Item[] {
  const email = row.text('Affiliate Email');
  const name = fullName(row.text('affiliate_firstname'), row.text('affiliate_lastname'));
  return email ? [{ kind: 'affiliate', keys: owner(row), email, name }] : [];
}

function stateOf(row: Row): ReferralState {
  const word = row.text('approved', 'commission_status', 'status') ?? '';
  return meaningOf('commission_status', word, commissionStates);
}

/** A conversion in JSON has a list of commissions, one for each level and type. */
function commissionsOf(row: Row): Item[] {
  const conversion = row.text('external_id', 'id');
  return row.list('commissions').map((commission) => ({
    kind: 'referral',
    owner: owner(commission).length > 0 ? owner(commission) : owner(row),
    id: commission.text('id'),
    state: commission.text('payout_id', 'payment_id') ? 'paid' : stateOf(commission),
    amount: commission.amount('amount') ?? { minor: 0 },
    sale: row.amount('amount'),
    currency: commission.text('currency') ?? row.text('currency'),
    reference: conversion,
    date: row.text('created_at'),
  }));
}

export const tapfiliate: System = {
  name: 'tapfiliate',
  title: 'Tapfiliate',
  linkParameter: 'ref',
  files: [
    {
      name: 'conversions',
      needs: ['external_id', 'amount', 'created_at', 'affiliate_email|commissions'],
      read(row) {
        if (row.list('commissions').length > 0) return [...mention(row), ...commissionsOf(row)];
        return [
          ...mention(row),
          {
            kind: 'referral',
            owner: owner(row),
            id: row.text('external_id'),
            state: stateOf(row),
            amount: row.amount('commission_amount', 'commission') ?? { minor: 0 },
            sale: row.amount('amount'),
            currency: row.text('currency'),
            reference: row.text('external_id'),
            date: row.text('created_at'),
          },
        ];
      },
    },
    {
      name: 'balances',
      needs: ['affiliate_email|affiliate_id', 'balance'],
      read: (row) => [
        ...mention(row),
        {
          kind: 'balance',
          owner: owner(row),
          amount: row.amount('balance') ?? { minor: 0 },
          currency: row.text('currency'),
        },
      ],
    },
    {
      name: 'payments',
      needs: ['id|payment_id', 'amount', 'created_at|date|paid_at', 'affiliate_email|affiliate_id'],
      read: (row) => [
        ...mention(row),
        {
          kind: 'payout',
          owner: owner(row),
          id: row.text('payment_id', 'id'),
          state: 'paid',
          amount: row.amount('amount') ?? { minor: 0 },
          currency: row.text('currency'),
          date: row.text('paid_at', 'created_at', 'date'),
        },
      ],
    },
    {
      name: 'affiliates',
      needs: ['email', 'firstname|first_name', 'lastname|last_name'],
      read(row) {
        const keys = keysOf({ id: row.text('id', 'affiliate_id'), email: row.text('email') });
        const codes = [
          row.text('coupon', 'coupon_code'),
          row.text('referral_code') ??
            parameterOf(row.text('referral_link', 'referral_link_link'), 'ref'),
        ];
        return [
          {
            kind: 'affiliate',
            keys,
            email: row.text('email'),
            name: fullName(row.text('firstname', 'first_name'), row.text('lastname', 'last_name')),
            state: 'active',
            registered: row.text('created_at'),
          },
          ...codes.flatMap((code): Item[] => (code ? [{ kind: 'code', owner: keys, code }] : [])),
        ];
      },
    },
  ],
};
