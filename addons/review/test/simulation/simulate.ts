import { leak } from '../../patterns/code-leaked.ts';
import { HISTORY_DAYS, median } from '../../patterns/days.ts';
import { manyRefunds, REFUND_DAYS } from '../../patterns/many-refunds.ts';
import { unusualVolume, type ProgramDay } from '../../patterns/unusual-volume.ts';
import {
  patternNames,
  type AllRuleOptions,
  type PatternName,
  type RuleName,
} from '../../rules/rules.ts';
import { abuses, withOwnDomain, type SuspiciousOrder } from './abuse.ts';
import { honestAffiliate, type Affiliate } from './affiliates.ts';
import { Chance } from './chance.ts';
import { honestOrders, lookAtOrder } from './orders.ts';
import { simulateSecondAccounts } from './second-accounts.ts';

export interface SimulationInput {
  readonly seed: number;
  /** Honest affiliates; the abusers come on top. */
  readonly affiliates: number;
  readonly abusersOfEachKind: number;
  readonly days: number;
  readonly options: AllRuleOptions;
}

export interface KindResult {
  readonly kind: string;
  readonly count: number;
  /** Days from the beginning of the abuse to the first case, of each abuser that was found; 0 is the same day. */
  readonly daysUntilFound: readonly number[];
  /** Which rules were first, and how often. */
  readonly rules: Readonly<Record<string, number>>;
}

export interface SimulationResult {
  readonly kinds: readonly KindResult[];
  /** Cases about honest affiliates and their customers, by rule. */
  readonly falseCases: Readonly<Record<string, number>>;
}

interface Found {
  readonly rule: RuleName;
  readonly day: number;
}

interface Abuser {
  readonly affiliate: Affiliate;
  readonly kind: string;
  readonly start: number;
  readonly orders: readonly SuspiciousOrder[];
}

/** A pattern is reported once in so many days. */
const QUIET_DAYS = 28;
/** A case that comes later has nothing to do with it: most abuse lasts for two months. */
const FOUND_WITHIN_DAYS = 75;
/** The first days are history only. */
const WARM_UP_DAYS = 60;

export function simulate(input: SimulationInput): SimulationResult {
  const chance = new Chance(input.seed);
  const days = WARM_UP_DAYS + input.days;
  const honest = Array.from({ length: input.affiliates }, (_, i) =>
    honestAffiliate(chance, i + 1, days),
  );
  const abusers = makeAbusers(chance, input, days);
  const all = [...honest, ...abusers.map(({ affiliate }) => affiliate)];
  const program = Array.from({ length: days }, (_, day) => programDay(all, day));
  const falseCases: Found[] = [];
  for (const affiliate of honest) {
    falseCases.push(...findPatterns(affiliate, program, input.options));
    falseCases.push(...honestOrders(chance, affiliate, input.options, WARM_UP_DAYS));
  }
  const kinds: KindResult[] = Object.keys(abuses).map((kind) => {
    const ofKind = abusers.filter((one) => one.kind === kind);
    const first = ofKind.map((abuser) => firstFinding(abuser, program, input.options));
    const found = first.filter((one) => one !== undefined);
    return {
      kind,
      count: ofKind.length,
      daysUntilFound: found.map((one) => one.day).toSorted((a, b) => a - b),
      rules: countBy(found.map(({ rule }) => rule)),
    };
  });
  // With a chance of its own, so that it changes nothing else.
  const { daysUntilFound, falseCases: falseDuplicates } = simulateSecondAccounts(
    new Chance(input.seed + 1_000),
    honest,
    input.abusersOfEachKind,
  );
  kinds.push({
    kind: 'second account of one person',
    count: input.abusersOfEachKind,
    daysUntilFound: daysUntilFound.toSorted((a, b) => a - b),
    rules: { duplicate_affiliates: daysUntilFound.length },
  });
  return {
    kinds,
    falseCases: {
      ...countBy(falseCases.map(({ rule }) => rule)),
      duplicate_affiliates: falseDuplicates,
    },
  };
}

function makeAbusers(chance: Chance, input: SimulationInput, days: number): Abuser[] {
  let id = input.affiliates;
  return Object.entries(abuses).flatMap(([kind, abuse]) =>
    Array.from({ length: input.abusersOfEachKind }, () => {
      const plain = honestAffiliate(chance, ++id, days);
      const affiliate = kind.includes('own domain') ? withOwnDomain(plain) : plain;
      const start = chance.between(WARM_UP_DAYS, days - 45);
      return { affiliate, kind, start, orders: abuse(chance, affiliate, start) };
    }),
  );
}

/** The medians of the affiliates who are active on a day. */
function programDay(affiliates: readonly Affiliate[], day: number): ProgramDay {
  const of = (what: 'orders' | 'clicks') =>
    median(affiliates.map(({ days }) => days[day]![what]).filter((count) => count > 0));
  return { orders: of('orders'), clicks: of('clicks') };
}

/** What the job would have reported about an affiliate, day by day. */
function findPatterns(
  { days, refunds }: Affiliate,
  program: readonly ProgramDay[],
  options: AllRuleOptions,
): Found[] {
  const known = days.map((day) => ({ ...day }));
  const byDay = Map.groupBy(refunds, ({ day }) => day);
  const reported = new Map<PatternName, number>();
  const found: Found[] = [];
  for (let day = 0; day < days.length; day += 1) {
    for (const { ordered } of byDay.get(day) ?? []) known[ordered]!.refunded += 1;
    if (day < WARM_UP_DAYS) continue;
    for (const rule of patternNames) {
      const last = reported.get(rule) ?? -Infinity;
      if (options[rule].action === 'off' || day - last <= QUIET_DAYS) continue;
      if (!looks[rule](known, day, { program: program[day]!, options, last })) continue;
      reported.set(rule, day);
      found.push({ rule, day });
    }
  }
  return found;
}

interface LookContext {
  readonly program: ProgramDay;
  readonly options: AllRuleOptions;
  readonly last: number;
}

type PatternLook = (days: Affiliate['days'], day: number, context: LookContext) => unknown;

const looks: Record<PatternName, PatternLook> = {
  code_leaked: (days, day, { options: { code_leaked } }) =>
    days[day]!.unlinked >= code_leaked.orders &&
    leak(days.slice(Math.max(0, day - HISTORY_DAYS), day + 1), code_leaked),
  unusual_volume: (days, day, { program, options: { unusual_volume } }) =>
    unusualVolume(days.slice(Math.max(0, day - HISTORY_DAYS), day + 1), program, unusual_volume),
  many_refunds: (days, day, { options: { many_refunds }, last }) =>
    days[day]!.orders > 0 &&
    manyRefunds(days.slice(Math.max(0, day - REFUND_DAYS + 1, last + 1), day + 1), many_refunds),
};

/** The first case after the beginning of the abuse, with the days that it took. */
function firstFinding(
  { affiliate, start, orders }: Abuser,
  program: readonly ProgramDay[],
  options: AllRuleOptions,
): Found | undefined {
  const patterns = findPatterns(affiliate, program, options).filter(({ day }) => day >= start);
  const ofOrders = orders.flatMap((order) =>
    lookAtOrder(affiliate, order, options).map((rule) => ({ rule, day: order.day })),
  );
  const [first] = [...patterns, ...ofOrders].toSorted((a, b) => a.day - b.day);
  if (!first || first.day - start > FOUND_WITHIN_DAYS) return undefined;
  return { rule: first.rule, day: first.day - start };
}

function countBy(names: readonly string[]): Record<string, number> {
  const groups = Map.groupBy(names, (name) => name);
  return Object.fromEntries(Array.from(groups, ([name, list]) => [name, list.length]));
}
