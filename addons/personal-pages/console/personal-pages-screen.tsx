import { useLocation } from 'wouter-preact';
import type { ListedPersonalPage } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { useData } from '../../../web/data.ts';
import { useAddress } from '../../../web/frame/address.ts';
import { Screen } from '../../../web/frame/screen.tsx';
import type { Column } from '../../../web/ui/data-table.tsx';
import { EmptyState } from '../../../web/ui/empty-state.tsx';
import { FilterBar } from '../../../web/ui/filter-bar.tsx';
import { Listing } from '../../../web/ui/listing.tsx';
import { Moment } from '../../../web/ui/moment.tsx';
import { Pill, type PillKind } from '../../../web/ui/pill.tsx';
import { t } from '../../../web/words.ts';
import { PageDialog } from './page-dialog.tsx';
import './personal-pages.css';

const states = ['waiting', 'shown', 'declined'] as const;
const kindOf: Record<(typeof states)[number], PillKind> = {
  waiting: 'accent',
  shown: 'good',
  declined: 'plain',
};

/** The pages of affiliates: those that wait for the review, and all others. */
export function PersonalPages() {
  const address = useAddress('/console/personal-pages');
  const [, navigate] = useLocation();
  const { page } = address;
  const state = address.oneOf('state', states);
  const list = useData('personal-pages', { page, per_page: 25, state }, (input) =>
    api.personalPages.list(input),
  );
  const openId = Number(address.get('version'));
  const open = list.data?.items.find(({ id }) => id === openId);
  return (
    <Screen title={t('console.nav.personal-pages')}>
      <FilterBar
        address={address}
        list={list}
        filters={[
          {
            name: 'state',
            label: t('console-personal-pages.state'),
            options: states.map((one) => ({
              value: one,
              label: t(`console-personal-pages.state.${one}`),
            })),
          },
        ]}
      />
      <Listing
        address={address}
        caption={t('console.nav.personal-pages')}
        list={list}
        columns={columns()}
        keyOf={({ id }) => id}
        nameOf={({ affiliate }) => affiliate}
        hrefOf={({ id }) => address.hrefOf({ version: String(id) })}
        filters={['state']}
        empty={
          <EmptyState title={t('console-personal-pages.emptyTitle')}>
            {t('console-personal-pages.emptyText')}
          </EmptyState>
        }
      />
      {open && (
        <PageDialog
          key={open.id}
          page={open}
          onClose={() => navigate(address.hrefOf({ version: undefined }))}
        />
      )}
    </Screen>
  );
}

const columns = (): readonly Column<ListedPersonalPage>[] => [
  {
    key: 'affiliate',
    label: t('console-personal-pages.affiliate'),
    phone: 'title',
    cell: ({ affiliate }) => <span class="breakable">{affiliate}</span>,
  },
  {
    key: 'state',
    label: t('console-personal-pages.state'),
    phone: 'state',
    cell: ({ state }) => (
      <Pill kind={kindOf[state]}>{t(`console-personal-pages.state.${state}`)}</Pill>
    ),
  },
  {
    key: 'text',
    label: t('console-personal-pages.text'),
    phone: 'detail',
    cell: ({ text, language }) => (
      <span class="page-beginning" lang={language || undefined}>
        {text}
      </span>
    ),
  },
  {
    key: 'date',
    label: t('console-personal-pages.date'),
    phone: 'aside',
    cell: ({ date }) => <Moment date={date} />,
  },
];
