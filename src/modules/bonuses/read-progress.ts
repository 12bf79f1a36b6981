import { bonusSentence, countsMoney, isConcerned, type bonusProgress } from '../rewards/index.ts';
import { activeBonuses, bonusList } from './bonus-list.ts';
import { chanceOn, takes, type Chance } from './bonus-windows.ts';
import { affiliatesOf } from './check-rows.ts';
import { Counters } from './counters.ts';
import { findPaymentsOf } from './payment-rows.ts';

/** How far an affiliate is with the bonuses that it can still get, or has got for the current window. */
export const readProgress: (typeof bonusProgress)['contributed'] = async (db, site, affiliate) => {
  if (!(await activeBonuses(site)).hasActive) return [];
  const { id, coupons, language, nowMs } = affiliate;
  const day = site.calendar.dayOf(nowMs);
  const chances = (await bonusList.read(db))
    .filter(({ active, who }) => active && isConcerned(affiliate, who))
    .map((bonus) => chanceOn(site, bonus, day, nowMs))
    .filter((chance) => chance !== undefined);
  const goals = chances.flatMap(({ goal, noneIn }) => [goal, noneIn].filter((one) => !!one));
  const [payments, counters, [member]] = await Promise.all([
    findPaymentsOf(db, [id]),
    Counters.read(db, goals, [id]),
    db.allByKeys(affiliatesOf, [id]),
  ]);
  const isPaid = (chance: Chance) =>
    payments.some(
      (payment) => payment.bonus_id === chance.bonus.id && takes(site, payment, chance),
    );
  const isOpen = ({ noneIn, acceptedSince = 0 }: Chance) =>
    (member?.registered_at ?? 0) >= acceptedSince &&
    !(noneIn && counters.valueOf(id, noneIn) >= noneIn.at);
  const names = { groups: new Map(), affiliates: new Map(), stores: new Map(), coupons };
  return chances
    .filter((chance) => isPaid(chance) || isOpen(chance))
    .map((chance) => {
      const { bonus, goal } = chance;
      const shown = (value: number) =>
        goal && countsMoney(goal.by) ? site.currency.toMajor(value) : value;
      return {
        id: bonus.id,
        sentence: bonusSentence(bonus, names, language, site, 'affiliate'),
        by: goal?.by ?? null,
        value: goal ? shown(counters.valueOf(id, goal)) : 1,
        at: goal ? shown(goal.at) : 1,
        paid: isPaid(chance),
      };
    });
};
