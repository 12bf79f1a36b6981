import { announcements } from '../addons/announcements/addon.ts';
import { creatives } from '../addons/creatives/addon.ts';
import { leaderboard } from '../addons/leaderboard/addon.ts';
import { messages } from '../addons/messages/addon.ts';
import { multilevel } from '../addons/multilevel/addon.ts';
import { payouts } from '../addons/payouts/addon.ts';
import { personalPages } from '../addons/personal-pages/addon.ts';
import { postbacks } from '../addons/postbacks/addon.ts';
import { review } from '../addons/review/addon.ts';
import { stores } from '../addons/stores/addon.ts';
import { webhooks } from '../addons/webhooks/addon.ts';
export type * from '../addons/payouts/extension.ts';
export type * from '../addons/review/extension.ts';
export type * from '../addons/stores/extension.ts';
import type { Module } from './kernel/declare/module.ts';
import type { Edition } from './kernel/declare/site.ts';

/** The add-ons of the pro edition, in the order in which their migrations run. */
export const addons = [
  payouts,
  multilevel,
  webhooks,
  stores,
  review,
  announcements,
  creatives,
  postbacks,
  personalPages,
  messages,
  leaderboard,
] as const;

export async function loadEdition(edition: Edition): Promise<readonly Module[]> {
  const { freeEdition } = await import('./edition-free.ts');
  if (edition === 'free') return freeEdition;
  return [...freeEdition, ...(await Promise.all(addons.map((addon) => addon.load())))];
}
