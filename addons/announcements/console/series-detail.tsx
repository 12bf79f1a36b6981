import { Link, useLocation } from 'wouter-preact';
import type { Series, SeriesMember } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { refresh, useData } from '../../../web/data.ts';
import { useAddress, type Address } from '../../../web/frame/address.ts';
import { Screen } from '../../../web/frame/screen.tsx';
import { Card } from '../../../web/ui/card.tsx';
import { dateColumn, textColumn } from '../../../web/ui/columns.tsx';
import type { Column } from '../../../web/ui/data-table.tsx';
import { EmptyState } from '../../../web/ui/empty-state.tsx';
import { PendingCard } from '../../../web/ui/error-state.tsx';
import { Facts } from '../../../web/ui/facts.tsx';
import { Form } from '../../../web/ui/form.tsx';
import { ItemList } from '../../../web/ui/item-list.tsx';
import { Listing } from '../../../web/ui/listing.tsx';
import { Moment } from '../../../web/ui/moment.tsx';
import { t } from '../../../web/words.ts';
import { subjectOf } from './announcement-state.tsx';
import { PATH, SERIES_PATH } from './announcement-tabs.tsx';
import { SeriesDialog } from './series-dialogs.tsx';
import { SeriesPill, startOf } from './series-list.tsx';
import './announcements.css';

const PER_PAGE = 25;

/** One series: its steps, who is in it, and what was sent. */
export function SeriesDetail({ id }: { id: number }) {
  const address = useAddress(PATH);
  const [, navigate] = useLocation();
  const { data, error, retry } = useData('mail-series', { id }, () => api.series.get(id));
  const members = useData(
    'mail-series',
    { members: id, page: address.page, per_page: PER_PAGE },
    ({ page, per_page }) => api.series.members.list(id, { page, per_page }),
  );
  return (
    <Screen
      title={data?.name ?? t('console-announcements.tab.series')}
      guide="series"
      back={{ href: SERIES_PATH, label: t('console-announcements.tab.series') }}
    >
      {data ? (
        <>
          <About series={data} address={address} />
          <Steps series={data} address={address} />
          <Listing
            title={t('console-announcements.series.members')}
            address={address}
            caption={t('console-announcements.series.members')}
            list={members}
            columns={columns(data, address)}
            keyOf={({ user_id }) => user_id}
            hrefOf={({ user_id }) => `/console/affiliates/${user_id}`}
            filters={[]}
            empty={<EmptyState of="console-announcements.series.noMembers" />}
          />
          <SeriesDialog
            series={data}
            members={members.data?.items ?? []}
            address={address}
            onClose={() =>
              navigate(address.hrefOf({ open: undefined, step: undefined, member: undefined }), {
                replace: true,
              })
            }
          />
        </>
      ) : (
        <PendingCard error={error} retry={retry} lines={8} />
      )}
    </Screen>
  );
}

function About({ series, address }: { series: Series; address: Address }) {
  const { id, active, figures, ends_on_order, steps } = series;
  return (
    <Card title={t('console-announcements.series.about')}>
      <Facts
        facts={[
          { name: t('console-announcements.state'), value: <SeriesPill isActive={active} /> },
          { name: t('console-announcements.series.start'), value: startOf(series) },
          ends_on_order && {
            name: t('console-announcements.series.end'),
            value: t('console-announcements.series.endsOnOrder'),
          },
          ...(['waiting', 'completed', 'left'] as const).map((name) => ({
            name: t(`console-announcements.series.${name}`),
            value: figures[name],
          })),
        ]}
      />
      <div class="announcement-actions">
        {steps.length > 0 && (
          <Form
            kind={active ? 'quiet' : 'primary'}
            action={t(
              active
                ? 'console-announcements.series.switchOff'
                : 'console-announcements.series.switchOn',
            )}
            submit={async (_values, options) => {
              await api.series.update(id, { active: !active }, options);
              await refresh('mail-series');
            }}
          />
        )}
        <Link class="button" data-kind="quiet" href={address.hrefOf({ open: 'preview' })}>
          {t('console-announcements.series.preview')}
        </Link>
        <Link class="button" data-kind="quiet" href={address.hrefOf({ open: 'edit' })}>
          {t('console-announcements.edit')}
        </Link>
        {!active && (
          <Link class="button" data-kind="danger" href={address.hrefOf({ open: 'delete' })}>
            {t('console-announcements.delete')}
          </Link>
        )}
      </div>
    </Card>
  );
}

function Steps({ series, address }: { series: Series; address: Address }) {
  const add = (
    <Link class="button" data-kind="quiet" href={address.hrefOf({ open: 'step' })}>
      {t('console-announcements.series.addStep')}
    </Link>
  );
  if (series.steps.length === 0) {
    return (
      <Card title={t('console-announcements.series.steps')}>
        <EmptyState title={t('console-announcements.series.noSteps')} action={add}>
          {t('console-announcements.series.noStepsText')}
        </EmptyState>
      </Card>
    );
  }
  return (
    <Card title={t('console-announcements.series.steps')}>
      <ItemList
        items={series.steps.map((step) => ({
          key: step.id,
          title: (
            <Link href={address.hrefOf({ open: 'step', step: String(step.id) })}>
              {subjectOf(step)}
            </Link>
          ),
          detail: [dayOf(step.after_days), figuresOf(step)].join(' · '),
          action: <Link href={`${PATH}/${step.id}`}>{t('console-announcements.receivers')}</Link>,
        }))}
      />
      <div class="announcement-actions">{add}</div>
    </Card>
  );
}

function dayOf(days: number): string {
  return days === 0
    ? t('console-announcements.series.atOnce')
    : t('console-announcements.series.after', { count: days });
}

function figuresOf({ figures }: Series['steps'][number]): string {
  const counts = (['sent', 'failed', 'unknown', 'unsubscribed'] as const)
    .filter((name) => name === 'sent' || figures[name] > 0)
    .map((name) => `${t(`console-announcements.${name}`)}: ${figures[name]}`);
  return counts.join(', ');
}

const columns = ({ steps }: Series, address: Address): Column<SeriesMember>[] => [
  { key: 'name', label: t('console-announcements.name'), phone: 'title', cell: ({ name }) => name },
  textColumn('state', t('console-announcements.state'), 'state', ({ state, reason }) =>
    reason === null
      ? t(`console-announcements.series.${state}`)
      : t(`console-announcements.left.${reason}`),
  ),
  {
    key: 'next',
    label: t('console-announcements.series.next'),
    phone: 'detail',
    cell: ({ next_step }) => {
      const step = steps.find(({ id }) => id === next_step);
      return step && subjectOf(step);
    },
  },
  {
    key: 'due',
    label: t('console-announcements.series.due'),
    phone: 'aside',
    cell: ({ date_next, date_ended }) => {
      const date = date_next ?? date_ended;
      return date && <Moment inLog date={date} />;
    },
  },
  dateColumn(
    'entered',
    t('console-announcements.series.entered'),
    'none',
    ({ date_entered }) => date_entered,
  ),
  {
    key: 'action',
    label: t('console-announcements.series.action'),
    phone: 'action',
    cell: ({ state, user_id, name }) =>
      state === 'waiting' && (
        <span>
          <Link
            class="button"
            data-kind="quiet"
            href={address.hrefOf({ open: 'member', member: String(user_id) })}
          >
            {t('console-announcements.series.takeOut')}
            <span class="visually-hidden"> {name}</span>
          </Link>
        </span>
      ),
  },
];
