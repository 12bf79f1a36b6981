import { Link } from 'wouter-preact';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { useAddress } from '../../frame/address.ts';
import { Screen } from '../../frame/screen.tsx';
import { useSession } from '../../session.ts';
import { Card } from '../../ui/card.tsx';
import { CsvButton } from '../../ui/csv-button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Pending } from '../../ui/error-state.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { NextIcon, PreviousIcon } from '../../ui/icons.tsx';
import { optionsOf } from '../../ui/options.ts';
import { t } from '../../words.ts';
import { EventList } from './event-list.tsx';
import { useSettingTitles } from './setting-titles.ts';
import { useChosenPerson, useWhoOptions, WhoDialog } from './who-filter.tsx';
import './activity.css';

const PER_PAGE = 50;
const objectTypes = [
  'order',
  'coupon',
  'affiliate',
  'payout',
  'registration',
  'webhook',
  'key',
] as const;
const kinds = [
  'referral',
  'commission',
  'customer',
  'coupon',
  'affiliate',
  'payout',
  'payout_details',
  'registration',
  'key',
  'settings',
  'reward',
  'bonus',
  'webhook',
  'mla',
] as const;
/** The list has these only if the filter names them, and for administrators only. */
const restrictedKinds = ['session', 'account', 'two_factor', 'team', 'access'] as const;

/** The change feed as a log: about what, what happened, who, and when are the address. */
export function Activity() {
  const address = useAddress('/console/activity');
  const { account } = useSession();
  const events = account.role === 'administrator' ? [...kinds, ...restrictedKinds] : kinds;
  const about = address.oneOf('about', objectTypes);
  const number = /^#?(\d{1,15})$/.exec(address.get('q').trim())?.[1];
  const person = useChosenPerson(address);
  const filter = {
    object_type: about ?? (number === undefined ? undefined : 'order'),
    object_id: number === undefined ? undefined : Number(number),
    event: address.oneOf('event', events),
    user_id: person,
    from: address.get('from') || undefined,
    to: address.get('to') || undefined,
  };
  const before = Number(address.get('before')) || undefined;
  const list = useData('activity', { ...filter, before, per_page: PER_PAGE }, (input) =>
    api.events.search(input),
  );
  const { data, error, retry, stale } = list;
  const titles = useSettingTitles(data?.items ?? []);
  const people = useWhoOptions(address, data?.items ?? []);
  const isNarrowed = Object.values(filter).some((value) => value !== undefined);
  return (
    <Screen title={t('console.nav.activity')}>
      <FilterBar
        address={address}
        {...(before === undefined && data?.next === null && { list })}
        search={t('console-activity.id')}
        filters={[
          {
            name: 'about',
            label: t('console-activity.about'),
            options: optionsOf(objectTypes, (value) => t(`console-activity.about.${value}`)),
          },
          {
            name: 'event',
            label: t('console-activity.event'),
            options: optionsOf(events, (value) => t(`console-activity.kind.${value}`)),
          },
          {
            name: 'who',
            label: t('console-activity.who'),
            options: people,
          },
        ]}
        dates
      >
        <CsvButton
          fileName="activity.csv"
          load={(options) => api.exports.eventsCsv(filter, options)}
        />
      </FilterBar>
      <Card>
        {data ? (
          <>
            {data.items.length > 0 ? (
              <EventList
                events={data.items}
                names={data.names}
                settings={titles}
                stale={stale}
                address={address}
              />
            ) : data.next !== null ? (
              <p class="muted">{t('console-activity.goOn')}</p>
            ) : isNarrowed || before !== undefined ? (
              <EmptyState title={t('common.noMatch.title')}>{t('common.noMatch.text')}</EmptyState>
            ) : (
              <EmptyState of="console-activity.empty" />
            )}
            {(before !== undefined || data.next !== null) && (
              <nav class="activity-pages" aria-label={t('common.pages')}>
                {before !== undefined && (
                  <Link
                    class="button"
                    data-kind="quiet"
                    href={address.hrefOf({ before: undefined })}
                  >
                    <PreviousIcon aria-hidden />
                    {t('console-activity.newest')}
                  </Link>
                )}
                {data.next !== null && (
                  <Link
                    class="button"
                    data-kind="quiet"
                    href={address.hrefOf({ before: String(data.next) })}
                  >
                    {t('console-activity.older')}
                    <NextIcon aria-hidden />
                  </Link>
                )}
              </nav>
            )}
          </>
        ) : (
          <Pending error={error} retry={retry} lines={12} height="2rem" />
        )}
      </Card>
      <WhoDialog address={address} />
    </Screen>
  );
}
