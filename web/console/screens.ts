import threadTexts from 'texts:portal-messages';
import type { LucideIcon } from 'lucide-preact';
import type { FunctionComponent } from 'preact';
import type { ConsoleScreenName } from '../../src/web-contract/console-screens.ts';
import type { TeamGuide } from '../../src/web-contract/guides.ts';
import { lazyScreen, type LazyScreen } from '../frame/lazy-screen.tsx';
import { withTexts } from '../frame/with-texts.ts';
import * as icons from '../ui/icons.tsx';
import { loadScreenWords } from '../words.ts';

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
  /** What the head of the screen leads to. */
  readonly guide: TeamGuide | undefined;
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
  guide?: TeamGuide;
}

/** Loads the texts of a screen first: the columns of its tables read them while they are evaluated. */
function afterTexts(name: string, load: Load): Load {
  return async () => {
    await loadScreenWords(name);
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
  const { addon, guide } = loaders;
  const isTab = typeof place === 'object';
  const group = isTab ? undefined : place;
  const section = isTab ? place.within : name;
  return [{ name, path, Icon, role, group, section, addon, guide, list, detail, edit }];
}

/**
 * Every screen of the console, in the order of the navigation. The label is `console.nav.<name>`; the list is in
 * `<name>/<name>.tsx`, one object of it in `<name>/detail.tsx`.
 */
export const screens: readonly ConsoleScreen[] = [
  ...screen('overview', icons.OverviewIcon, 'team', undefined, {
    list: async () => (await import('./overview/overview.tsx')).Overview,
    guide: 'owner',
  }),

  ...screen('payouts', icons.PayoutsIcon, 'team', 'decide', {
    list: async () => (await import('./payouts/payouts.tsx')).Payouts,
    detail: async () => (await import('./payouts/detail.tsx')).PayoutDetail,
    guide: 'paying',
  }),

  ...screen('applications', icons.ApplicationsIcon, 'team', 'decide', {
    list: async () => (await import('./applications/applications.tsx')).Applications,
    detail: async () => (await import('./applications/detail.tsx')).ApplicationDetail,
    guide: 'owner#applications',
  }),

  ...screen('review', icons.ReviewIcon, 'team', 'decide', {
    list: async () => (await import('./review/review.tsx')).Review,
    detail: async () => (await import('./review/detail.tsx')).CaseDetail,
    addon: 'review',
    guide: 'review',
  }),

  ...screen('messages', icons.MessagesIcon, 'team', 'decide', {
    list: async () => (await import('./messages/messages.tsx')).Messages,
    // The portal shows the same thread.
    detail: withTexts(
      threadTexts,
      async () => (await import('./messages/detail.tsx')).MessagesDetail,
    ),
    addon: 'messages',
    guide: 'messages',
  }),

  ...screen('affiliates', icons.AffiliatesIcon, 'team', 'program', {
    list: async () => (await import('./affiliates/affiliates.tsx')).Affiliates,
    detail: async () => (await import('./affiliates/detail.tsx')).AffiliateDetail,
    guide: 'owner#affiliates-and-coupons',
  }),

  ...screen('orders', icons.OrdersIcon, 'team', 'program', {
    list: async () => (await import('./orders/orders.tsx')).Orders,
    detail: async () => (await import('./orders/detail.tsx')).OrderDetail,
    guide: 'owner#why-an-order-earned-what-it-did',
  }),

  ...screen('rewards', icons.RewardsIcon, 'team', 'program', {
    list: async () => (await import('./rewards/rewards.tsx')).Rewards,
    detail: async () => (await import('./rewards/detail.tsx')).RewardDetail,
    guide: 'rewards',
  }),

  ...screen(
    'coupons',
    icons.CouponsIcon,
    'team',
    { within: 'rewards' },
    {
      list: async () => (await import('./coupons/coupons.tsx')).Coupons,
      guide: 'owner#affiliates-and-coupons',
    },
  ),

  ...screen('creatives', icons.CreativesIcon, 'team', 'reach', {
    list: async () => (await import('./creatives/creatives.tsx')).Creatives,
    addon: 'creatives',
    guide: 'creatives',
  }),

  ...screen(
    'personal-pages',
    icons.PersonalPagesIcon,
    'team',
    { within: 'creatives' },
    {
      list: async () => (await import('./personal-pages/personal-pages.tsx')).PersonalPages,
      addon: 'personal_pages',
      guide: 'personal-pages',
    },
  ),

  ...screen('announcements', icons.AnnouncementsIcon, 'team', 'reach', {
    list: async () => (await import('./announcements/announcements.tsx')).Announcements,
    detail: async () => (await import('./announcements/detail.tsx')).AnnouncementDetail,
    edit: async () => (await import('./announcements/detail.tsx')).AnnouncementEdit,
    addon: 'announcements',
    guide: 'announcements',
  }),

  ...screen('reports', icons.ReportsIcon, 'team', 'figures', {
    list: async () => (await import('./reports/reports.tsx')).Reports,
    guide: 'owner#reports',
  }),

  ...screen(
    'clicks',
    icons.ClicksIcon,
    'team',
    { within: 'reports' },
    {
      list: async () => (await import('./clicks/clicks.tsx')).Clicks,
      guide: 'links-and-clicks#what-is-counted',
    },
  ),

  ...screen('stores', icons.StoresIcon, 'team', 'bottom', {
    list: async () => (await import('./stores/stores.tsx')).Stores,
    detail: async () => (await import('./stores/detail.tsx')).Store,
    guide: 'owner#stores',
    addon: 'stores',
  }),

  ...screen('settings', icons.SettingsIcon, 'team', 'bottom', {
    list: async () => (await import('./settings/settings.tsx')).Settings,
    guide: 'good-program',
  }),

  ...screen(
    'mails',
    icons.MailsIcon,
    'team',
    { within: 'settings' },
    {
      list: async () => (await import('./mails/mails.tsx')).Mails,
      detail: async () => (await import('./mails/detail.tsx')).MailDetail,
      guide: 'owner#emails-and-brand',
    },
  ),

  ...screen(
    'outbox',
    icons.OutboxIcon,
    'team',
    { within: 'settings' },
    {
      list: async () => (await import('./outbox/outbox.tsx')).Outbox,
      guide: 'owner#when-something-fails',
    },
  ),

  ...screen(
    'team',
    icons.TeamIcon,
    'administrator',
    { within: 'settings' },
    {
      list: async () => (await import('./team/team.tsx')).Team,
      guide: 'owner#team-and-keys',
    },
  ),

  ...screen(
    'keys',
    icons.KeysIcon,
    'team',
    { within: 'settings' },
    {
      list: async () => (await import('./keys/keys.tsx')).Keys,
      guide: 'api#keys-and-scopes',
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
      guide: 'webhooks',
    },
  ),

  ...screen(
    'imports',
    icons.ImportsIcon,
    'administrator',
    { within: 'settings' },
    {
      list: async () => (await import('./imports/imports.tsx')).Imports,
      guide: 'moving-from-another-system',
    },
  ),

  ...screen(
    'add-ons',
    icons.AddOnsIcon,
    'administrator',
    { within: 'settings' },
    {
      list: async () => (await import('./add-ons/add-ons.tsx')).AddOns,
      guide: 'owner#add-ons',
    },
  ),

  ...screen(
    'activity',
    icons.ActivityIcon,
    'team',
    { within: 'settings' },
    {
      list: async () => (await import('./activity/activity.tsx')).Activity,
      guide: 'owner#activity',
    },
  ),
];
