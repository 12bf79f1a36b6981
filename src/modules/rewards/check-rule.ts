import type { FieldErrors } from '../../kernel/declare/field-errors.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { RuleInput } from './rule-schema.ts';
import { countsMoney, type RewardWindow } from './rule.ts';

/** Reports what the schema of a rule cannot express, each under its path. */
export function checkRule(
  { who, what, order, from, to, rate, limit }: Partial<RuleInput>,
  errors: FieldErrors,
  site: Site,
): void {
  const check = new RuleCheck(errors, site);
  if (who) check.atMostOne('who', who);
  if (what) check.atMostOne('what', what);
  if (order) check.order(order);
  if (from && to && from > to) errors.add('to', 'must not be before from');
  if (rate) check.rate(rate);
  if (limit) check.limit(limit);
}

const isGiven = (value: unknown) => value !== undefined && value !== null;

/** Checks of parts that rules and bonuses have. */
export class RuleCheck {
  readonly #errors: FieldErrors;
  readonly #site: Site;

  constructor(errors: FieldErrors, site: Site) {
    this.#errors = errors;
    this.#site = site;
  }

  atMostOne(place: string, lists: object): void {
    const [, second] = Object.keys(lists);
    if (second)
      this.#errors.add(`${place}.${second}`, `only one of the lists of ${place} is allowed`);
  }

  order({ payment, payments, min_total }: NonNullable<RuleInput['order']>): void {
    this.amount('order.min_total', min_total);
    if (!payments) return;
    if (payment !== 'renewal') this.#errors.add('order.payments', 'needs payment renewal');
    if (payments.from && payments.to && payments.from > payments.to) {
      this.#errors.add('order.payments.to', 'must not be less than from');
    }
  }

  rate({ excluded, steps, ...fixed }: RuleInput['rate']): void {
    this.amount('rate.fixed_per_order', fixed.fixed_per_order);
    this.amount('rate.fixed_per_product', fixed.fixed_per_product);
    const isFixed = Object.values(fixed).some(isGiven);
    if ([isFixed, excluded, steps].filter(Boolean).length !== 1) {
      this.#errors.add('rate', 'must have either rates, or excluded, or steps');
    }
    if (steps) this.#steps(steps);
  }

  #steps({ by, window, steps }: NonNullable<RuleInput['rate']['steps']>): void {
    const place = 'rate.steps';
    this.window(`${place}.window`, window);
    for (const [i, { from }] of steps.entries()) {
      const at = `${place}.steps[${i}].from`;
      if (i === 0 && from !== 0) this.#errors.add(at, 'must be 0');
      else if (i > 0 && from <= steps[i - 1]!.from) {
        this.#errors.add(at, 'must be greater than the one before');
      } else if (countsMoney(by)) this.amount(at, from);
      else if (!Number.isSafeInteger(from)) this.#errors.add(at, 'must be an integer');
    }
  }

  limit({ payments, months, amount, per, window }: NonNullable<RuleInput['limit']>): void {
    this.amount('limit.amount', amount);
    if ([payments, months, amount].filter(isGiven).length !== 1) {
      this.#errors.add('limit', 'must have exactly one of payments, months and amount');
    }
    for (const [name, value] of Object.entries({ per, window })) {
      if (isGiven(amount) === isGiven(value)) continue;
      this.#errors.add(`limit.${name}`, value ? 'is for an amount' : 'is required for an amount');
    }
    if (window) this.window('limit.window', window);
  }

  window(place: string, { kind, days }: RewardWindow): void {
    if ((kind === 'days') === isGiven(days)) return;
    this.#errors.add(`${place}.days`, kind === 'days' ? 'is required' : 'is for the kind days');
  }

  amount(place: string, major: number | null | undefined): void {
    const { currency } = this.#site;
    if (isGiven(major) && currency.toMinor(Number(major)) === undefined) {
      this.#errors.add(
        place,
        `must have at most ${currency.decimals} decimals and not be too large`,
      );
    }
  }
}
