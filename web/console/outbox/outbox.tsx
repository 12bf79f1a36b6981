import { useLocation } from 'wouter-preact';
import type { Mail } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { useAddress } from '../../frame/address.ts';
import { Screen } from '../../frame/screen.tsx';
import { dateColumn } from '../../ui/columns.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { Listing } from '../../ui/listing.tsx';
import { Notice } from '../../ui/notice.tsx';
import { t } from '../../words.ts';
import { titleOf } from '../mails/mail-title.ts';
import { MailStep } from '../overview/command-steps.tsx';
import { MailDialog, MailState } from './mail-dialog.tsx';
import './outbox.css';

const PATH = '/console/outbox';
const PER_PAGE = 25;
const states = ['pending', 'held', 'sent', 'failed', 'unknown'] as const;

/** Every mail of the last 30 days: waiting, sent, failed. */
export function Outbox() {
  const address = useAddress(PATH);
  const [, navigate] = useLocation();
  const state = address.oneOf('state', states);
  const template = address.get('mail');
  const to = address.get('q');
  const { page } = address;
  const list = useData(
    'outbox',
    { state, template: template || undefined, to: to || undefined, page, per_page: PER_PAGE },
    (input) => api.outbox.list(input),
  );
  const { data: server } = useData('outbox', { part: 'server' }, () => api.mailServer.get());
  const names = useData('mails', {}, () => api.mails.list()).data?.items ?? [];
  const open = Number(address.get('open')) || undefined;
  return (
    <Screen title={t('console.nav.outbox')}>
      {server?.configured === false && (
        <Notice kind="warn">
          <strong>{t('console-outbox.noServer')}</strong>
          <MailStep />
        </Notice>
      )}
      <FilterBar
        address={address}
        list={list}
        search={t('console-outbox.search')}
        filters={[
          {
            name: 'state',
            label: t('console-outbox.state'),
            options: states.map((value) => ({ value, label: t(`console-outbox.state.${value}`) })),
          },
          {
            name: 'mail',
            label: t('console-outbox.mail'),
            options: names.map(({ name }) => ({ value: name, label: titleOf(name) })),
          },
        ]}
      />
      <Listing
        address={address}
        caption={t('console.nav.outbox')}
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => address.hrefOf({ open: String(id) })}
        filters={['q', 'state', 'mail']}
        empty={<EmptyState of="console-outbox.empty" />}
      />
      {open !== undefined && (
        <MailDialog id={open} onClose={() => navigate(address.hrefOf({ open: undefined }))} />
      )}
    </Screen>
  );
}

const columns: readonly Column<Mail>[] = [
  {
    key: 'subject',
    label: t('console-outbox.subject'),
    phone: 'title',
    cell: ({ subject }) => <span class="outbox-subject">{subject}</span>,
  },
  {
    key: 'to',
    label: t('console-outbox.to'),
    phone: 'detail',
    cell: ({ to }) => <span class="outbox-cut">{to}</span>,
  },
  {
    key: 'state',
    label: t('console-outbox.state'),
    phone: 'state',
    cell: (mail) => <MailState mail={mail} />,
  },
  {
    key: 'error',
    label: t('console-outbox.error'),
    phone: 'none',
    cell: ({ last_error }) => <span class="outbox-cut">{last_error}</span>,
  },
  dateColumn('date', t('console-outbox.created'), 'aside', ({ date_created }) => date_created),
];
