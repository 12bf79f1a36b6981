import '../../../../test/web/browser-globals.ts';
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { PayoutTimelineEntry, ReviewPayout } from '../../../../sdk/src/index.ts';
import { useWords } from '../../../../web/words.ts';
import * as selection from '../../console/selection.ts';
import { stepsOf } from '../../console/timeline-steps.ts';
import words from '../../texts/en.json' with { type: 'json' };

// As in console/part.ts, which these tests do not load.
declare module '../../../../web/words.ts' {
  interface AddonTexts {
    payouts: typeof words;
  }
}

const { chosen } = selection;
const payout = (id: number, amount = 0.1, status: selection.Chosen['status'] = 'pending') => ({
  id,
  name: `Affiliate ${id}`,
  amount,
  status,
  method: 'bank',
});
const idsOf = () => [...chosen.value.keys()];

describe('the chosen payouts', () => {
  beforeEach(() => selection.chooseNone());

  test('have an exact sum', () => {
    selection.choose([payout(1), payout(2), payout(3)]);
    assert.equal(selection.chosenTotal.value, 0.3);
  });

  test('are as many as one request may change', () => {
    selection.choose(Array.from({ length: 600 }, (_, id) => payout(id)));
    assert.equal(chosen.value.size, selection.CHOSEN_MAX);
  });

  test('of another status leave with their tab', () => {
    selection.choose([payout(1), payout(2, 5, 'failed')]);
    selection.chooseOnly(['failed', 'processing']);
    assert.deepEqual(idsOf(), [2]);
  });

  test('stay with their reason if they were refused', () => {
    selection.choose([payout(1), payout(2)]);
    selection.keepRefused([{ payout: payout(1) }, { payout: payout(2), refusal: 'no details' }]);
    assert.deepEqual(idsOf(), [2]);
    assert.equal(selection.refusals.value.get(2), 'no details');
  });

  test('of other pages stay when a page is selected and deselected', () => {
    const onPage = [1, 2].map((id) => {
      const record = { ...payout(id), affiliate: { name: 'A' }, method_type: 'bank' };
      // What a page of the review needs of its rows.
      return record as unknown as ReviewPayout;
    });
    selection.choose([payout(9)]);
    selection.selectionOf(onPage).set(2, true);
    assert.deepEqual(selection.selectionOf(onPage).ids, [2]);
    selection.selectionOf(onPage).setAll(true);
    assert.ok(selection.selectionOf(onPage).isAll);
    selection.selectionOf(onPage).setAll(false);
    assert.deepEqual(idsOf(), [9]);
  });
});

describe('the timeline of a payout', () => {
  beforeEach(() => useWords('en', words, { affiliateWord: 'affiliate' }));

  const at = '2026-03-01T10:00:00';
  const entry = (
    kind: PayoutTimelineEntry['kind'],
    data: Record<string, unknown>,
    title = '',
  ): PayoutTimelineEntry => ({ kind, at, title, data });

  test('shows a change of the status once, with the person from its event', () => {
    const user = { id: 1, name: 'Ada' };
    const [step, ...others] = stepsOf([
      entry('status', { status: 'failed' }),
      entry('event', { event: 'payout.failed', user }, 'Payout failed'),
    ]);
    assert.deepEqual(
      [step?.title, step?.actor, step?.isBad],
      ['Failed; amount returned to the balance', 'Ada', true],
    );
    assert.deepEqual(others, []);
  });

  test('shows ledger entries, mails, calls and other events in words', () => {
    const steps = stepsOf([
      entry('ledger', { amount: 12, from: 'available', to: 'elsewhere' }),
      entry('mail', { to: 'maya@shop.example' }, 'Paid'),
      entry('gateway', { act: 'pay', outcome: 'failed', reason: 'closed', transaction_id: 'T1' }),
      entry('event', { event: 'note.added', user: null }, 'A note'),
    ]);
    const [ledger, mail, call, event] = steps;
    assert.match(String(ledger?.title), /12\.00.*elsewhere/);
    assert.match(String(mail?.title), /Paid/);
    assert.match(String(mail?.detail), /maya@shop\.example/);
    assert.deepEqual([call?.detail, call?.isBad], ['closed T1', true]);
    assert.deepEqual([event?.title, event?.actor], ['A note', undefined]);
  });
});
