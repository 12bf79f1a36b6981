import texts from 'texts:console-screens';
import threadTexts from 'texts:portal-messages';
import type { LucideIcon } from 'lucide-preact';
import type { FunctionComponent } from 'preact';
import type { ConsoleScreenName } from '../../src/web-contract/console-screens.ts';
import { lazyScreen, type LazyScreen } from '../frame/lazy-screen.tsx';
import { withTexts } from '../frame/with-texts.ts';
import * as icons from '../ui/icons.tsx';
import { addWords, currentLanguage } from '../words.ts';

type Load = () => Promise<FunctionComponent>;
type Group = 'decide' | 'program' | 'reach' | 'figures' | 'bottom';
/** In the navigation, or a tab of a screen that is. */
type Place = Group | undefined | { readonly within: ConsoleScreenName };

export interface ConsoleScreen {
  readonly name: ConsoleScreenName;
  readonly path: string;
  readonly Icon: LucideIcon;
  /** The role that sees it: the team (managers and administrators), or administrators only. */
  readonly role: 'team' | 'administrator';
  readonly group: Group | undefined;
  /** The screen of the navigation that it is a tab of; its own name if it is there itself. */
  readonly section: ConsoleScreenName;
  /** The add-on that it belongs to: without it, the screen is not shown. */
  readonly addon: string | undefined;
  readonly list: LazyScreen;
  /** `/console/<screen>/<id>`; the component reads the id with `useParams`. */
  readonly detail: LazyScreen | undefined;
  /** `/console/<screen>/<id>/edit`, where writing is a page. */
  readonly edit: LazyScreen | undefined;
}

interface Loaders {
  list: Load;
  detail?: Load;
  /** In the file of `detail`. */
  edit?: Load;
  addon?: string;
}

/** Loads the texts of a screen first: the columns of its tables read them while they are evaluated. */
function afterTexts(name: string, load: Load): Load {
  return async () => {
    const loaders = texts[name]!;
    addWords(await (loaders[currentLanguage()] ?? loaders.en)());
    return load();
  };
}

function screen(
  name: ConsoleScreenName,
  Icon: LucideIcon,
  role: ConsoleScreen['role'],
  place: Place,
  loaders: Loaders,
): ConsoleScreen[] {
  const path = name === 'overview' ? '/console' : `/console/${name}`;
  const list = lazyScreen(afterTexts(name, loaders.list));
  const detail = loaders.detail && lazyScreen(afterTexts(`${name}/detail`, loaders.detail));
  const edit = loaders.edit && lazyScreen(afterTexts(`${name}/detail`, loaders.edit));
  const { addon } = loaders;
  const isTab = typeof place === 'object';
  const group = isTab ? undefined : place;
  const section = isTab ? place.within : name;
  return [{ name, path, Icon, role, group, section, addon, list, detail, edit }];
}

/**
 * Every screen of the console, in the order of the navigation. The label is `console.nav.<name>`; the list is in
 * `<name>/<name>.tsx`, one object of it in `<name>/detail.tsx`.
 */
export const screens: readonly ConsoleScreen[] = [
  ...screen('overview', icons.OverviewIcon, 'team', undefined, {
    list: async () => (await import('./overview/overview.tsx')).Overview,
  }),

  ...screen('payouts', icons.PayoutsIcon, 'team', 'decide', {
    list: async () => (await import('./payouts/payouts.tsx')).Payouts,
    detail: async () => (await import('./payouts/detail.tsx')).PayoutDetail,
  }),

  ...screen('applications', icons.ApplicationsIcon, 'team', 'decide', {
    list: async () => (await import('./applications/applications.tsx')).Applications,
    detail: async () => (await import('./applications/detail.tsx')).ApplicationDetail,
  }),

  ...screen('review', icons.ReviewIcon, 'team', 'decide', {
    list: async () => (await import('./review/review.tsx')).Review,
    detail: async () => (await import('./review/detail.tsx')).CaseDetail,
    addon: 'review',
  }),

  ...screen('messages', icons.MessagesIcon, 'team', 'decide', {
    list: async () => (await import('./messages/messages.tsx')).Messages,
    // The portal shows the same thread.
    detail: withTexts(
      threadTexts,
      async () => (await import('./messages/detail.tsx')).MessagesDetail,
    ),
    addon: 'messages',
  }),

  ...screen('affiliates', icons.AffiliatesIcon, 'team', 'program', {
    list: async () => (await import('./affiliates/affiliates.tsx')).Affiliates,
    detail: async () => (await import('./affiliates/detail.tsx')).AffiliateDetail,
  }),

  ...screen('orders', icons.OrdersIcon, 'team', 'program', {
    list: async () => (await import('./orders/orders.tsx')).Orders,
    detail: async () => (await import('./orders/detail.tsx')).OrderDetail,
  }),

  ...screen('rewards', icons.RewardsIcon, 'team', 'program', {
    list: async () => (await import('./rewards/rewards.tsx')).Rewards,
    detail: async () => (await import('./rewards/detail.tsx')).RewardDetail,
  }),

  ...screen(
    'coupons',
    icons.CouponsIcon,
    'team',
    { within: 'rewards' },
    {
      list: async () => (await import('./coupons/coupons.tsx')).Coupons,
    },
  ),

  ...screen('creatives', icons.CreativesIcon, 'team', 'reach', {
    list: async () => (await import('./creatives/creatives.tsx')).Creatives,
    addon: 'creatives',
  }),

  ...screen(
    'personal-pages',
    icons.PersonalPagesIcon,
    'team',
    { within: 'creatives' },
    {
      list: async () => (await import('./personal-pages/personal-pages.tsx')).PersonalPages,
      addon: 'personal_pages',
    },
  ),

  ...screen('announcements', icons.AnnouncementsIcon, 'team', 'reach', {
    list: async () => (await import('./announcements/announcements.tsx')).Announcements,
    detail: async () => (await import('./announcements/detail.tsx')).AnnouncementDetail,
    edit: async () => (await import('./announcements/detail.tsx')).AnnouncementEdit,
    addon: 'announcements',
  }),

  ...screen('reports', icons.ReportsIcon, 'team', 'figures', {
    list: async () => (await import('./reports/reports.tsx')).Reports,
  }),

  ...screen(
    'clicks',
    icons.ClicksIcon,
    'team',
    { within: 'reports' },
    {
      list: async () => (await import('./clicks/clicks.tsx')).Clicks,
    },
  ),

  ...screen('stores', icons.StoresIcon, 'team', 'bottom', {
    list: async () => (await import('./stores/stores.tsx')).Stores,
    detail: async () => (await import('./stores/detail.tsx')).Store,
    addon: 'stores',
  }),

  ...screen('settings', icons.SettingsIcon, 'team', 'bottom', {
    list: async () => (await import('./settings/settings.tsx')).Settings,
  }),

  ...screen(
    'mails',
    icons.MailsIcon,
    'team',
    { within: 'settings' },
    {
      list: async () => (await import('./mails/mails.tsx')).Mails,
      detail: async () => (await import('./mails/detail.tsx')).MailDetail,
    },
  ),

  ...screen(
    'outbox',
    icons.OutboxIcon,
    'team',
    { within: 'settings' },
    {
      list: async () => (await import('./outbox/outbox.tsx')).Outbox,
    },
  ),

  ...screen(
    'team',
    icons.TeamIcon,
    'administrator',
    { within: 'settings' },
    {
      list: async () => (await import('./team/team.tsx')).Team,
    },
  ),

  ...screen(
    'keys',
    icons.KeysIcon,
    'team',
    { within: 'settings' },
    {
      list: async () => (await import('./keys/keys.tsx')).Keys,
    },
  ),

  ...screen(
    'webhooks',
    icons.WebhooksIcon,
    'administrator',
    { within: 'settings' },
    {
      list: async () => (await import('./webhooks/webhooks.tsx')).Webhooks,
      detail: async () => (await import('./webhooks/detail.tsx')).Webhook,
    },
  ),

  ...screen(
    'imports',
    icons.ImportsIcon,
    'administrator',
    { within: 'settings' },
    {
      list: async () => (await import('./imports/imports.tsx')).Imports,
    },
  ),

  ...screen(
    'add-ons',
    icons.AddOnsIcon,
    'administrator',
    { within: 'settings' },
    {
      list: async () => (await import('./add-ons/add-ons.tsx')).AddOns,
    },
  ),

  ...screen(
    'activity',
    icons.ActivityIcon,
    'team',
    { within: 'settings' },
    {
      list: async () => (await import('./activity/activity.tsx')).Activity,
    },
  ),
];
