import type { Language } from '../../shared/languages.ts';
import type { Condition } from './condition.ts';
import { conditionsOfLines, orderConditions } from './conditions.ts';
import type {
  BonusPays,
  BonusTarget,
  RewardBonus,
  RewardRule,
  RuleLimit,
  RuleSteps,
} from './rule.ts';
import {
  counterText,
  counterValue,
  rateText,
  startClause,
  windowText,
} from './sentence-clauses.ts';
import {
  writerIn,
  type Audience,
  type RuleNames,
  type SentenceWriter,
  type Store,
} from './sentence-parts.ts';

/** A rule as one sentence, the same for its owner, for affiliates, in mails and in explanations. */
export function ruleSentence(
  rule: RewardRule,
  names: RuleNames,
  language: Language,
  site: Store,
  audience: Audience = 'owner',
): string {
  const writer = writerIn(language);
  const { who, order, rate, limit } = rule;
  const verb = rate.excluded ? 'nothing' : 'earn';
  const say: Say = (one) => {
    const wanted = one.wanted(rule);
    const isEmpty = wanted === undefined || (Array.isArray(wanted) && wanted.length === 0);
    return isEmpty ? '' : (one.say?.(writer, wanted, names, site) ?? '');
  };
  const ofPayments = say(payments) || say(payment);
  const { customer: kind = 'any' } = order;
  const conditions = {
    what: conditionsOfLines.map(say).join(''),
    order: orderClause(writer, ofPayments || say(customer), say),
    customer: ofPayments && kind !== 'any' ? writer.say(`rewards.only.${kind}`) : '',
    limit: limit ? limitClause(writer, limit, site, audience) : '',
  };
  const isBare = Object.values(conditions).every((clause) => clause === '');
  const when = whenClause(writer, rule);
  return writer.frame('rewards.rule', {
    start: startClause(writer, verb, who, names, audience, rateText(writer, rate, site)),
    ...conditions,
    // Days that follow the verb directly have no comma before them.
    [isBare ? 'days' : 'when']: when,
    running: rule.running ? writer.say('rewards.running') : '',
    steps: rate.steps ? stepsClause(writer, rate.steps, site) : '',
  });
}

/** A bonus as one sentence. */
export function bonusSentence(
  { who, target, once, pays }: RewardBonus,
  names: RuleNames,
  language: Language,
  site: Store,
  audience: Audience = 'owner',
): string {
  const writer = writerIn(language);
  return writer.frame('rewards.bonus', {
    start: startClause(writer, 'get', who, names, audience, paysText(writer, pays, site)),
    target: targetClause(writer, target, site),
    once: onceClause(writer, target, once),
  });
}

/** Which orders: "for the first order of a customer in the store Main through a link". */
function orderClause(writer: SentenceWriter, noun: string, say: Say): string {
  const clauses = Object.entries(restOfOrder).map(([name, one]) => [name, say(one)] as const);
  const hasClauses = clauses.some(([, clause]) => clause !== '');
  const orders = noun || (hasClauses ? writer.say('rewards.orders.any') : '');
  return orders && writer.frame('rewards.order', { orders, ...Object.fromEntries(clauses) });
}

/** The noun of the orders is made of the first ones; the others have a clause under their names. */
const { customer, payment, payments, ...restOfOrder } = orderConditions;

type Say = (one: Condition) => string;

function limitClause(
  writer: SentenceWriter,
  limit: RuleLimit,
  site: Store,
  audience: Audience,
): string {
  if (limit.payments !== undefined) return writer.counted('rewards.limit.payments', limit.payments);
  if (limit.months !== undefined) return writer.counted('rewards.limit.months', limit.months);
  const { amount = 0, per = 'customer', window = { kind: 'always' } } = limit;
  const whose = per === 'affiliate' && audience === 'affiliate' ? 'you' : per;
  return writer.say(`rewards.limit.${whose}`, {
    amount: writer.money(site, amount),
    window: windowText(writer, window),
  });
}

function whenClause(writer: SentenceWriter, { from, to }: RewardRule): string {
  const days = { from: from ? writer.day(from) : '', to: to ? writer.day(to) : '' };
  if (from && to) return writer.say(`rewards.when.${from === to ? 'on' : 'both'}`, days);
  if (from) return writer.say('rewards.when.from', days);
  return to ? writer.say('rewards.when.to', days) : '';
}

/** The steps above the first: "12% from €1,000.00 and 15% from €5,000.00 of sales in a calendar month". */
function stepsClause(writer: SentenceWriter, steps: RuleSteps, site: Store): string {
  const above = steps.steps.slice(1);
  const last = above.at(-1);
  if (!last) return '';
  const parts = above.map(({ from, percent }) =>
    writer.say('rewards.step', {
      percent: writer.percent(percent),
      at: counterValue(writer, steps, from, site),
    }),
  );
  return counterText(writer, steps, writer.list(parts, 'and'), last.from);
}

function paysText(writer: SentenceWriter, pays: BonusPays, site: Store): string {
  return 'amount' in pays
    ? writer.money(site, pays.amount)
    : writer.say(`rewards.pays.${pays.of}`, { percent: writer.percent(pays.percent) });
}

function targetClause(writer: SentenceWriter, target: BonusTarget, site: Store): string {
  if ('event' in target) return writer.say(`rewards.target.${target.event}`);
  const at = counterValue(writer, target, target.at, site);
  const counted = counterText(writer, target, at, target.at);
  return writer.say('rewards.target.counted', { counted });
}

/** An event happens once. A target without a window is reached once, whatever the bonus says. */
function onceClause(
  writer: SentenceWriter,
  target: BonusTarget,
  once: RewardBonus['once'],
): string {
  if ('event' in target) return '';
  return writer.say(`rewards.once.${target.window.kind === 'always' ? 'ever' : once}`);
}
