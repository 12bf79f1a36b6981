import { Link, useLocation, useParams } from 'wouter-preact';
import type { AffiliateDetails } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { addonAffiliateActions, addonAffiliateTabs, type AffiliateTab } from '../addon-parts.ts';
import { useData } from '../../data.ts';
import { useAddress } from '../../frame/address.ts';
import { lazyScreen } from '../../frame/lazy-screen.tsx';
import { Screen } from '../../frame/screen.tsx';
import { usePreload } from '../../frame/use-preload.ts';
import { useSession } from '../../session.ts';
import { Card } from '../../ui/card.tsx';
import { PendingCard } from '../../ui/error-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { t } from '../../words.ts';
import { AffiliateNotes } from '../addon-notes.tsx';
import { ActDialog, actsOf } from './act-dialogs.tsx';
import { AffiliateState } from './affiliate-state.tsx';
import { SummaryTab } from './summary-tab.tsx';
import { Tiles } from './tiles.tsx';
import './affiliates.css';

/** All but the first are loaded when they may be opened. */
const ownTabs = {
  summary: { View: SummaryTab, preload() {} },
  coupons: lazyScreen(async () => (await import('./coupons-tab.tsx')).CouponsTab),
  orders: lazyScreen(async () => (await import('./list-tabs.tsx')).OrdersTab),
  clicks: lazyScreen(async () => (await import('./list-tabs.tsx')).ClicksTab),
  ledger: lazyScreen(async () => (await import('./list-tabs.tsx')).LedgerTab),
  notes: lazyScreen(async () => (await import('./notes-tab.tsx')).NotesTab),
  activity: lazyScreen(async () => (await import('./activity-tab.tsx')).ActivityTab),
} as const;
// The keys of the object.
const ownNames = Object.keys(ownTabs) as (keyof typeof ownTabs)[];

/** In their order: those of add-ons are before the one that they name. */
const tabs: readonly Omit<AffiliateTab, 'before'>[] = ownNames.flatMap((name) => [
  ...addonAffiliateTabs.filter(({ before }) => before === name),
  { name, label: `console-affiliates.tab.${name}` as const, screen: ownTabs[name] },
]);
const tabNames = tabs.map(({ name }) => name);

/** Everything about one affiliate. The tab, its page and the open dialog are the address. */
export function AffiliateDetail() {
  const id = Number(useParams<{ id: string }>().id);
  const { data, error, retry } = useData('affiliates', { id }, () => loadAffiliate(id));
  if (!data) {
    return (
      <Screen title={t('console-affiliates.single')} back={back()}>
        <PendingCard error={error} retry={retry} lines={8} />
      </Screen>
    );
  }
  return <Detail key={id} affiliate={data.affiliate} tags={data.tags} />;
}

/** What is done often is a button; everything else is in a menu, the dangerous at its end. */
const usual = new Set<string>(['view', 'edit']);

const back = () => ({ href: '/console/affiliates', label: t('console.nav.affiliates') });

async function loadAffiliate(id: number) {
  const [affiliate, { tags }] = await Promise.all([
    api.affiliates.get(id),
    api.affiliates.tags(id),
  ]);
  return { affiliate, tags };
}

function Detail({ affiliate, tags }: { affiliate: AffiliateDetails; tags: readonly string[] }) {
  const { account } = useSession();
  const address = useAddress(`/console/affiliates/${affiliate.id}`);
  const [, navigate] = useLocation();
  const tab = address.oneOf('tab', tabNames) ?? 'summary';
  const { View } = tabs.find(({ name }) => name === tab)!.screen;
  usePreload(...tabs.map(({ screen }) => screen));
  const acts = actsOf(affiliate, account.role);
  const open = acts.find((act) => act === address.get('do'));
  const { user } = affiliate;
  const parents = Object.values(affiliate.mla_parents ?? {});
  return (
    <Screen
      title={user.display_name}
      back={back()}
      aside={<AffiliateState status={affiliate.status} labels={[...affiliate.groups, ...tags]} />}
    >
      <Card>
        <Tiles
          facts={[
            { name: t('console-affiliates.login'), value: user.login ?? '' },
            { name: t('console-affiliates.email'), value: user.email ?? '' },
            {
              name: t('console-affiliates.joined'),
              value: <Moment date={affiliate.date_registered} />,
            },
            parents.length > 0 && {
              name: t('console-affiliates.parent'),
              value: (
                <Link href={`/console/affiliates/${parents[0]!.id}`}>
                  {parents[0]!.display_name}
                </Link>
              ),
            },
          ]}
        />
        <AffiliateNotes affiliateId={affiliate.id} />
        <div class="affiliate-acts">
          {acts
            .filter((act) => usual.has(act))
            .map((act) => (
              <Link key={act} class="button" data-kind="quiet" href={address.hrefOf({ do: act })}>
                {t(`console-affiliates.act.${act}`)}
              </Link>
            ))}
          {addonAffiliateActions.map((Action, i) => (
            <Action key={i} affiliateId={affiliate.id} />
          ))}
          <details class="act-menu">
            <summary class="button" data-kind="quiet">
              {t('console-affiliates.more')}
            </summary>
            <ul
              onClick={({ currentTarget }) => currentTarget.parentElement!.removeAttribute('open')}
            >
              {acts
                .filter((act) => !usual.has(act))
                .map((act) => (
                  <li key={act} data-danger={act === 'anonymise'}>
                    <Link href={address.hrefOf({ do: act })}>
                      {t(`console-affiliates.act.${act}`)}
                    </Link>
                  </li>
                ))}
            </ul>
          </details>
        </div>
      </Card>
      <Segmented
        label={t('console-affiliates.tabs')}
        current={tab}
        options={tabs.map(({ name, label }) => ({ value: name, label: t(label) }))}
        hrefOf={(value) => `${address.path}${value === 'summary' ? '' : `?tab=${value}`}`}
      />
      <View affiliate={affiliate} address={address} />
      {open && (
        <ActDialog
          act={open}
          affiliate={affiliate}
          tags={tags}
          onClose={() => navigate(address.hrefOf({ do: undefined }), { replace: true })}
        />
      )}
    </Screen>
  );
}
