import Type from 'typebox';
import type { Transaction } from '../../db/database.ts';
import { actorId, type Caller } from '../../kernel/declare/caller.ts';
import { defineEvent } from '../../kernel/declare/event.ts';
import { CurrencyCode } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { emit } from '../events/index.ts';
import { bonusSentence, readNames, type RewardBonus } from '../rewards/index.ts';
import { siteLanguage } from '../store-profile/index.ts';
import type { Payment } from './payment-rows.ts';

const BonusData = Type.Object({
  bonus_id: Type.Integer({ description: 'The bonus.' }),
  user_id: Type.Integer({ description: 'The affiliate.' }),
  coupon_id: Type.Integer({ description: 'The coupon whose balance it changes.' }),
  amount: Type.Number(),
  currency: CurrencyCode,
  reason: Type.String({ description: 'Why, in the language of the site.' }),
});

const example = {
  bonus_id: 3,
  user_id: 7,
  coupon_id: 12,
  amount: 50,
  currency: 'USD',
  reason: 'Bonus Autumn: $1,000.00 of sales in November 2026 reached',
};

const bonusReached = defineEvent(
  'bonus.reached',
  'An affiliate reached a bonus. The amount is held for `commission.delay_days`, then `commission.added` follows.',
  BonusData,
  { id: 160, timestamp: '2026-11-17T10:14:05.402Z', data: example },
  'bonus',
);

const bonusReversed = defineEvent(
  'bonus.reversed',
  'A bonus was taken back while it was held, because its target is no longer reached.',
  BonusData,
  {
    id: 164,
    timestamp: '2026-11-19T08:40:12.077Z',
    data: { ...example, reason: `${example.reason}. Taken back: it is no longer reached` },
  },
  'bonus',
);

const Sentence = (description: string) =>
  Type.String({ description: `${description}, in the language of the site.` });
const which = { bonus_id: Type.Integer({ description: 'The bonus.' }) };
const now = {
  sentence: Sentence('The bonus in a sentence'),
  active: Type.Boolean({ description: 'Whether the bonus is paid.' }),
};
const first = 'Affiliates of Gold get $50.00 for $1,000.00 of sales in a calendar month.';
const second = 'Affiliates of Gold get $60.00 for $1,000.00 of sales in a calendar month.';

const bonusCreated = defineEvent(
  'bonus.created',
  'A bonus was created.',
  Type.Object({ ...which, ...now }),
  {
    id: 161,
    timestamp: '2026-11-18T10:14:05.402Z',
    data: { bonus_id: 3, sentence: first, active: true },
  },
  'bonus',
);

const bonusChanged = defineEvent(
  'bonus.changed',
  'A bonus was changed. If it was only renamed, switched on or off, both sentences are the same.',
  Type.Object({ ...which, ...now, previous: Sentence('The bonus before the change') }),
  {
    id: 162,
    timestamp: '2026-11-18T10:20:31.077Z',
    data: { bonus_id: 3, sentence: second, active: true, previous: first },
  },
  'bonus',
);

const bonusRemoved = defineEvent(
  'bonus.removed',
  'A bonus was deleted. What it has paid stays.',
  Type.Object({ ...which, previous: Sentence('The bonus before it was deleted') }),
  { id: 163, timestamp: '2026-11-18T16:45:58.930Z', data: { bonus_id: 3, previous: second } },
  'bonus',
);

export const bonusEvents = [bonusCreated, bonusChanged, bonusRemoved, bonusReached, bonusReversed];

/** A bonus before and after its change; one of them may be absent. */
export interface BonusChange {
  readonly before?: RewardBonus;
  readonly after?: RewardBonus;
}

export async function emitBonusChange(
  tx: Transaction,
  site: Site,
  { before, after }: BonusChange,
  { caller, nowMs }: { caller: Caller; nowMs: number },
): Promise<void> {
  const bonuses = [before, after].filter((bonus) => bonus !== undefined);
  const naming = bonuses.map(({ who }) => ({ who, order: {} }));
  // Events are kept when the data of a person is erased, so they have the ids of people, not their names.
  const names = { ...(await readNames(tx, site, naming)), affiliates: new Map<number, string>() };
  const language = site.settings.get(siteLanguage);
  const [previous, sentence] = [before, after].map(
    (bonus) => bonus && bonusSentence(bonus, names, language, site),
  );
  const bonus_id = bonuses[0]!.id;
  const active = after?.active ?? false;
  const common = { objectId: bonus_id, userId: actorId(caller), nowMs };
  if (previous === undefined) {
    const info = `Bonus ${bonus_id} created: ${sentence}`;
    emit(tx, bonusCreated, { ...common, info, data: { bonus_id, sentence: sentence!, active } });
  } else if (sentence === undefined) {
    const info = `Bonus ${bonus_id} deleted: ${previous}`;
    emit(tx, bonusRemoved, { ...common, info, data: { bonus_id, previous } });
  } else {
    const info = `Bonus ${bonus_id} changed: ${sentence}`;
    emit(tx, bonusChanged, { ...common, info, data: { bonus_id, sentence, active, previous } });
  }
}

/** Emits the event of a payment that was made or taken back just now. */
export function emitPayment(tx: Transaction, site: Site, payment: Payment, nowMs: number): void {
  const { bonus_id, user_id, coupon_id, reason } = payment;
  const amount = site.currency.toMajor(payment.amount);
  const isReversed = payment.state === 'reversed';
  emit(tx, isReversed ? bonusReversed : bonusReached, {
    objectId: bonus_id,
    userId: 0,
    info: `${amount} ${site.currency.code} ${isReversed ? 'taken from' : 'for'} affiliate ${user_id}. ${reason}`,
    data: { bonus_id, user_id, coupon_id, amount, currency: site.currency.code, reason },
    nowMs,
  });
}
