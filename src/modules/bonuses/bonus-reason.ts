import type { Site } from '../../kernel/declare/site.ts';
import type { Language } from '../../shared/languages.ts';
import { textIn } from '../../shared/texts.ts';
import { countsMoney, writerIn, type RewardBonus } from '../rewards/index.ts';
import { siteLanguage } from '../store-profile/index.ts';
import type { Goal } from './counters.ts';

/** Why a bonus is paid, for its ledger entry: "Bonus Autumn: $1,000.00 of sales in November 2026 reached". */
export function reasonOf(
  site: Site,
  { name, target, pays }: RewardBonus,
  goal: Goal | null,
  /** What a percentage is paid of, in minor units. */
  base: number,
): string {
  const writer = writerIn(site.settings.get(siteLanguage));
  if ('event' in target) return writer.say(`server.bonus.${target.event}`, { name });
  const { by } = target;
  const money = (minor: number) => writer.money(site, site.currency.toMajor(minor));
  const at = goal!.at;
  const reached = countsMoney(by)
    ? writer.say(`server.bonus.goal.${by}`, { value: money(at) })
    : writer.counted(`server.bonus.goal.${by}`, at, { value: writer.number(at) });
  const window = windowText(writer.language, target.window.kind, goal!);
  const key = window === '' ? 'server.bonus.reached' : 'server.bonus.reachedIn';
  const reason = writer.say(key, { name, goal: reached, window });
  if (!('percent' in pays)) return reason;
  const percent = writer.percent(pays.percent);
  return writer.say('server.bonus.share', { reason, percent, amount: money(base) });
}

export function reversalOf(site: Site, reason: string): string {
  return textIn(site.settings.get(siteLanguage), 'server.bonus.reversed', { reason });
}

function windowText(language: Language, kind: string, { first, last }: Goal): string {
  const [from, to] = [first, last].map((day) => Date.parse(`${day}T00:00:00Z`));
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
  switch (kind) {
    case 'month':
      return format({ month: 'long', year: 'numeric' }).format(from);
    case 'quarter':
      return format({ month: 'long', year: 'numeric' }).formatRange(from!, to!);
    case 'year':
      return first.slice(0, 4);
    case 'days':
      return format({ dateStyle: 'medium' }).formatRange(from!, to!);
    default:
      return '';
  }
}
