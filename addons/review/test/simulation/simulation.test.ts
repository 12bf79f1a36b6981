import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultOptions } from '../../rules/rules.ts';
import { simulate } from './simulate.ts';

test('what the rules of the review find in a small simulated program stays as it is', () => {
  const { kinds, falseCases } = simulate({
    seed: 1,
    affiliates: 250,
    abusersOfEachKind: 10,
    days: 150,
    options: defaultOptions,
  });
  const found = kinds.map(({ kind, daysUntilFound: days }) => {
    const soon = days.filter((day) => day <= 1).length;
    return `${kind}: ${days.length}, ${soon} within a day`;
  });
  assert.deepEqual(found, [
    'leaked code: 10, 10 within a day',
    'ads on the store’s name: 10, 10 within a day',
    'own orders, same mailbox: 10, 1 within a day',
    'own orders, other mailbox at the own domain: 10, 5 within a day',
    'own orders, unrelated mailbox, own name: 10, 5 within a day',
    'own orders, unrelated mailbox and name: 0, 0 within a day',
    'click fraud: 10, 10 within a day',
    'cookie stuffing: 10, 10 within a day',
    'extension at the checkout: 9, 8 within a day',
    'refund abuse: 6, 0 within a day',
    'own orders, unrelated mailbox, customer account of their own: 6, 3 within a day',
    'second account of one person: 8, 0 within a day',
  ]);
  assert.deepEqual(falseCases, {
    code_leaked: 2,
    duplicate_affiliates: 0,
    own_order: 2,
    same_people: 2,
    throwaway_mail: 34,
  });
});
