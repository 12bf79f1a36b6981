import {
  countsMoney,
  type RewardCounter,
  type RewardWindow,
  type RuleRate,
  type RuleWho,
} from './rule.ts';
import {
  namesOf,
  type Audience,
  type RuleNames,
  type SentenceWriter,
  type Store,
} from './sentence-parts.ts';

/** The subject and the verb with what is earned: "The group Gold earns 15%". */
export function startClause(
  writer: SentenceWriter,
  verb: 'earn' | 'nothing' | 'get',
  { groups, affiliates, coupons }: RuleWho,
  names: RuleNames,
  audience: Audience,
  rate: string,
): string {
  if (audience === 'affiliate') {
    const own = coupons?.filter((id) => names.coupons.has(id)) ?? [];
    if (own.length === 0) return writer.say(`rewards.${verb}.you`, { rate });
    const listed = writer.names('yourCoupons', namesOf(own, names.coupons), 'and');
    return writer.counted(`rewards.${verb}.yourCoupons`, own.length, { names: listed, rate });
  }
  const of = (kind: 'groups' | 'affiliates' | 'coupons', ids: readonly number[]) =>
    writer.counted(`rewards.${verb}.${kind}`, ids.length, {
      names: writer.names(kind, namesOf(ids, names[kind]), 'and'),
      rate,
    });
  if (groups?.length) return of('groups', groups);
  if (affiliates?.length) return of('affiliates', affiliates);
  if (coupons?.length) return of('coupons', coupons);
  return writer.say(`rewards.${verb}.everyone`, { rate });
}

export function rateText(writer: SentenceWriter, rate: RuleRate, site: Store): string {
  const percent = rate.steps ? rate.steps.steps[0]?.percent : rate.percent;
  const parts: string[] = [];
  if (typeof percent === 'number')
    parts.push(writer.say('rewards.rate.percent', { percent: writer.percent(percent) }));
  for (const kind of ['fixed_per_order', 'fixed_per_product'] as const) {
    const amount = rate[kind];
    if (typeof amount === 'number')
      parts.push(writer.say(`rewards.rate.${kind}`, { amount: writer.money(site, amount) }));
  }
  return parts.length > 0 ? writer.list(parts, 'and') : writer.say('rewards.rate.below');
}

export function counterValue(
  writer: SentenceWriter,
  { by }: RewardCounter,
  value: number,
  site: Store,
): string {
  return countsMoney(by) ? writer.money(site, value) : writer.number(value);
}

export function counterText(
  writer: SentenceWriter,
  counter: RewardCounter,
  at: string,
  last: number,
): string {
  const { by, counts } = counter;
  const window = windowText(writer, counter.window);
  return countsMoney(by)
    ? writer.say(`rewards.counter.${by}.${counts}`, { at, window })
    : writer.counted(`rewards.counter.${by}.${counts}`, last, { at, window });
}

export function windowText(writer: SentenceWriter, { kind, days }: RewardWindow): string {
  return kind === 'days'
    ? writer.counted('rewards.window.days', days ?? 0)
    : writer.say(`rewards.window.${kind}`);
}
