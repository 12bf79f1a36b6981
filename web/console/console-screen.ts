import type { LucideIcon } from 'lucide-preact';
import type { FunctionComponent } from 'preact';
import type { TeamGuide } from '../../src/web-contract/guides.ts';
import type { WordKey } from '../words.ts';

/**
 * The screens of the console by their names. The label of each is `console.nav.<name>`. An add-on merges its own into it, and has
 * their labels in its texts.
 */
export interface ConsoleScreens {
  overview: true;
  applications: true;
  affiliates: true;
  orders: true;
  rewards: true;
  coupons: true;
  reports: true;
  clicks: true;
  settings: true;
  mails: true;
  outbox: true;
  team: true;
  keys: true;
  imports: true;
  'add-ons': true;
  activity: true;
}
export type ConsoleScreenName = keyof ConsoleScreens;

type Load = () => Promise<FunctionComponent>;

/**
 * A screen as its owner declares it: the core in `own-screens.ts`, an add-on in its `console/part.ts`. The texts that its sources
 * name are loaded with it.
 */
export interface ScreenDeclaration {
  readonly name: ConsoleScreenName;
  readonly Icon: LucideIcon;
  /** The only role that sees it; without one, the whole team does. */
  readonly role?: 'administrator';
  /** Where it is in the navigation; the overview is above the groups. */
  readonly group?: 'decide' | 'program' | 'reach' | 'figures' | 'bottom';
  /** The first active screen of a section is in the navigation; the others are tabs of it. */
  readonly section?: 'rewards' | 'material' | 'reports' | 'settings';
  /** Among all screens: those of lower positions come first. */
  readonly position: number;
  /** The letter after `g` that leads to it. Screens of extensions have none. */
  readonly letter?: string;
  /** What the navigation calls it, where that is not the title. */
  readonly navLabel?: WordKey;
  /** It is in the navigation from this step of the setup on; at once without one. */
  readonly appearsAfter?: 'affiliate' | 'order';
  /** Whether there is something on it, where the step does not say so. */
  readonly hasContent?: () => Promise<boolean>;
  /** What waits on it, as a need of the overview that the navigation counts. */
  readonly need?: string;
  /** The keys by which one thing after the other is decided on it. */
  readonly keys?: Readonly<Record<string, WordKey>>;
  /** What is unread on it. */
  readonly useUnread?: () => number | undefined;
  /** What the head of the screen leads to. */
  readonly guide?: TeamGuide;
  readonly list: Load;
  /** `/console/<screen>/<id>`; the component reads the id with `useParams`. */
  readonly detail?: Load;
  /** `/console/<screen>/<id>/edit`, where writing is a page; in the file of `detail`. */
  readonly edit?: Load;
}
