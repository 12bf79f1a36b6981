import type { Site } from '../../kernel/declare/site.ts';
import type { Language } from '../../shared/languages.ts';
import { textIn } from '../../shared/texts.ts';
import { formatMoney } from '../mail/index.ts';
import type { RewardBonus } from '../rewards/index.ts';
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
  const language = site.settings.get(siteLanguage);
  if ('event' in target) return textIn(language, `server.bonus.${target.event}`, { name });
  const reached = goalText(site, language, target.by, goal!.at);
  const window = windowText(language, target.window.kind, goal!);
  const key = window === '' ? 'server.bonus.reached' : 'server.bonus.reachedIn';
  const reason = textIn(language, key, { name, goal: reached, window });
  if (!('percent' in pays)) return reason;
  const percent = (pays.percent / 100).toLocaleString(language, {
    style: 'percent',
    maximumFractionDigits: 10,
  });
  const amount = formatMoney(site, language, base);
  return textIn(language, 'server.bonus.share', { reason, percent, amount });
}

function goalText(
  site: Site,
  language: Language,
  by: 'sales' | 'commission' | 'orders' | 'new_customers',
  at: number,
): string {
  if (by === 'sales' || by === 'commission') {
    const value = formatMoney(site, language, at);
    return textIn(language, `server.bonus.goal.${by}`, { value });
  }
  const form = new Intl.PluralRules(language).select(at) === 'one' ? 'one' : 'other';
  const value = at.toLocaleString(language);
  return textIn(language, `server.bonus.goal.${by}.${form}`, { value });
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
