import type { LucideIcon } from 'lucide-preact';
import type { AffiliateGuide } from '../../src/web-contract/guides.ts';
import type { LazyScreen } from '../frame/lazy-screen.tsx';
import type { WordKey } from '../words.ts';
import { HomeIcon, LinkIcon, MessagesIcon, MoneyIcon, OrdersIcon } from '../ui/icons.tsx';

/** The entries of the navigation. Each leads to the first of its screens; the others are tabs of it. */
export const sections = {
  home: { label: 'portal.nav.home', Icon: HomeIcon },
  share: { label: 'portal.nav.share', Icon: LinkIcon },
  orders: { label: 'portal.nav.orders', Icon: OrdersIcon },
  money: { label: 'portal.nav.money', Icon: MoneyIcon },
  inbox: { label: 'portal.nav.inbox', Icon: MessagesIcon },
} as const satisfies Record<string, { label: WordKey; Icon: LucideIcon }>;

/** A screen as its owner declares it: the core in `portal.tsx`, an add-on in its `portal/part.tsx`. */
export interface PortalScreen {
  readonly path: '/app' | `/app/${string}`;
  readonly label: WordKey;
  /** That of the profile is in the header. */
  readonly section: keyof typeof sections | 'profile';
  /** Among the screens of its section: those of lower positions come first, and those without one before them. */
  readonly position?: number;
  readonly screen: LazyScreen;
  /** What the head of the screen leads to. */
  readonly guide?: AffiliateGuide;
  /** How much of it the person has not read. */
  readonly useUnread?: () => number;
  /** Part of the person's account: not shown to the team, which may look at the rest. */
  readonly isPrivate?: true;
}
