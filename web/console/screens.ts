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
type Group = 'program' | 'insight' | 'connections' | 'store';

export interface ConsoleScreen {
  readonly name: ConsoleScreenName;
  readonly path: string;
  readonly Icon: LucideIcon;
  /** The role that sees it: the team (managers and administrators), or administrators only. */
  readonly role: 'team' | 'administrator';
  readonly group: Group | undefined;
  /** The add-on that it belongs to: without it, the screen is not shown. */
  readonly addon: string | undefined;
  readonly list: LazyScreen;
  /** `/console/<screen>/<id>`; the component reads the id with `useParams`. */
  readonly detail: LazyScreen | undefined;
}

interface Loaders {
  list: Load;
  detail?: Load;
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
  group: Group | undefined,
  loaders: Loaders,
): ConsoleScreen[] {
  const path = name === 'overview' ? '/console' : `/console/${name}`;
  const list = lazyScreen(afterTexts(name, loaders.list));
  const detail = loaders.detail && lazyScreen(afterTexts(`${name}/detail`, loaders.detail));
  const { addon } = loaders;
  return [{ name, path, Icon, role, group, addon, list, detail }];
}

/**
 * Every screen of the console, in the order of the navigation. The label is `console.nav.<name>`; the list is in
 * `<name>/<name>.tsx`, one object of it in `<name>/detail.tsx`.
 */
export const screens: readonly ConsoleScreen[] = [
  ...screen('overview', icons.OverviewIcon, 'team', undefined, {
    list: async () => (await import('./overview/overview.tsx')).Overview,
  }),

  ...screen('affiliates', icons.AffiliatesIcon, 'team', 'program', {
    list: async () => (await import('./affiliates/affiliates.tsx')).Affiliates,
    detail: async () => (await import('./affiliates/detail.tsx')).AffiliateDetail,
  }),

  ...screen('coupons', icons.CouponsIcon, 'team', 'program', {
    list: async () => (await import('./coupons/coupons.tsx')).Coupons,
  }),

  ...screen('creatives', icons.CreativesIcon, 'team', 'program', {
    list: async () => (await import('./creatives/creatives.tsx')).Creatives,
    addon: 'creatives',
  }),

  ...screen('personal-pages', icons.PersonalPagesIcon, 'team', 'program', {
    list: async () => (await import('./personal-pages/personal-pages.tsx')).PersonalPages,
    addon: 'personal_pages',
  }),

  ...screen('rewards', icons.RewardsIcon, 'team', 'program', {
    list: async () => (await import('./rewards/rewards.tsx')).Rewards,
    detail: async () => (await import('./rewards/detail.tsx')).RewardDetail,
  }),

  ...screen('orders', icons.OrdersIcon, 'team', 'program', {
    list: async () => (await import('./orders/orders.tsx')).Orders,
    detail: async () => (await import('./orders/detail.tsx')).OrderDetail,
  }),

  ...screen('payouts', icons.PayoutsIcon, 'team', 'program', {
    list: async () => (await import('./payouts/payouts.tsx')).Payouts,
    detail: async () => (await import('./payouts/detail.tsx')).PayoutDetail,
  }),

  ...screen('review', icons.ReviewIcon, 'team', 'program', {
    list: async () => (await import('./review/review.tsx')).Review,
    detail: async () => (await import('./review/detail.tsx')).CaseDetail,
    addon: 'review',
  }),

  ...screen('applications', icons.ApplicationsIcon, 'team', 'program', {
    list: async () => (await import('./applications/applications.tsx')).Applications,
    detail: async () => (await import('./applications/detail.tsx')).ApplicationDetail,
  }),

  ...screen('messages', icons.MessagesIcon, 'team', 'program', {
    list: async () => (await import('./messages/messages.tsx')).Messages,
    // The portal shows the same thread.
    detail: withTexts(
      threadTexts,
      async () => (await import('./messages/detail.tsx')).MessagesDetail,
    ),
    addon: 'messages',
  }),

  ...screen('announcements', icons.AnnouncementsIcon, 'team', 'program', {
    list: async () => (await import('./announcements/announcements.tsx')).Announcements,
    detail: async () => (await import('./announcements/detail.tsx')).AnnouncementDetail,
    addon: 'announcements',
  }),

  ...screen('reports', icons.ReportsIcon, 'team', 'insight', {
    list: async () => (await import('./reports/reports.tsx')).Reports,
  }),

  ...screen('clicks', icons.ClicksIcon, 'team', 'insight', {
    list: async () => (await import('./clicks/clicks.tsx')).Clicks,
  }),

  ...screen('activity', icons.ActivityIcon, 'team', 'insight', {
    list: async () => (await import('./activity/activity.tsx')).Activity,
  }),

  ...screen('stores', icons.StoresIcon, 'team', 'connections', {
    list: async () => (await import('./stores/stores.tsx')).Stores,
    detail: async () => (await import('./stores/detail.tsx')).Store,
    addon: 'stores',
  }),

  ...screen('webhooks', icons.WebhooksIcon, 'administrator', 'connections', {
    list: async () => (await import('./webhooks/webhooks.tsx')).Webhooks,
    detail: async () => (await import('./webhooks/detail.tsx')).Webhook,
  }),

  ...screen('keys', icons.KeysIcon, 'team', 'connections', {
    list: async () => (await import('./keys/keys.tsx')).Keys,
  }),

  ...screen('team', icons.TeamIcon, 'administrator', 'store', {
    list: async () => (await import('./team/team.tsx')).Team,
  }),

  ...screen('settings', icons.SettingsIcon, 'team', 'store', {
    list: async () => (await import('./settings/settings.tsx')).Settings,
  }),

  ...screen('mails', icons.MailsIcon, 'team', 'store', {
    list: async () => (await import('./mails/mails.tsx')).Mails,
    detail: async () => (await import('./mails/detail.tsx')).MailDetail,
  }),

  ...screen('outbox', icons.OutboxIcon, 'team', 'store', {
    list: async () => (await import('./outbox/outbox.tsx')).Outbox,
  }),

  ...screen('imports', icons.ImportsIcon, 'administrator', 'store', {
    list: async () => (await import('./imports/imports.tsx')).Imports,
  }),

  ...screen('add-ons', icons.AddOnsIcon, 'administrator', 'store', {
    list: async () => (await import('./add-ons/add-ons.tsx')).AddOns,
  }),
];
