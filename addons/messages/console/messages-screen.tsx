import { Link, useLocation } from 'wouter-preact';
import type { MessageThread } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { useData } from '../../../web/data.ts';
import { useAddress } from '../../../web/frame/address.ts';
import { Screen } from '../../../web/frame/screen.tsx';
import { dateColumn, textColumn } from '../../../web/ui/columns.tsx';
import type { Column } from '../../../web/ui/data-table.tsx';
import { Dialog } from '../../../web/ui/dialog.tsx';
import { EmptyState } from '../../../web/ui/empty-state.tsx';
import { Form } from '../../../web/ui/form.tsx';
import { Listing } from '../../../web/ui/listing.tsx';
import { Pill } from '../../../web/ui/pill.tsx';
import { Segmented } from '../../../web/ui/segmented.tsx';
import { t } from '../../../web/words.ts';
import {
  AffiliateField,
  affiliateWithLogin,
} from '../../../web/console/affiliates/affiliate-field.tsx';
import { useUnreadThreads } from './unread-threads.ts';
import './messages.css';

const PATH = '/console/messages';
const PER_PAGE = 20;

const columns = (): Column<MessageThread>[] => [
  textColumn('name', t('console-messages.with'), 'title', ({ name }) => name),
  {
    key: 'last',
    label: t('console-messages.last'),
    phone: 'detail',
    cell: ({ last }) => (
      <span class="thread-last">
        {last.from === 'team' && <span class="muted">{t('console-messages.team')}: </span>}
        {last.text}
      </span>
    ),
  },
  {
    key: 'unread',
    label: t('console-messages.unreadOnly'),
    phone: 'state',
    cell: ({ unread }) =>
      unread > 0 && <Pill kind="accent">{t('common.unread', { count: unread })}</Pill>,
  },
  dateColumn('date', t('console-messages.date'), 'aside', ({ last }) => last.date),
];

/** The threads with affiliates, the newest message first. */
export function Messages() {
  const address = useAddress(PATH);
  const [, navigate] = useLocation();
  const isUnread = address.get('unread') !== '';
  const count = useUnreadThreads();
  const list = useData(
    'messages',
    { list: isUnread ? 'unread' : 'all', page: address.page, per_page: PER_PAGE },
    ({ page, per_page }) =>
      api.messages.list({ page, per_page, ...(isUnread && { unread: true }) }),
  );
  const close = () => navigate(address.hrefOf({ write: undefined }), { replace: true });
  return (
    <Screen
      title={t('console.nav.messages')}
      aside={
        <Link class="button" data-kind="primary" href={address.hrefOf({ write: '1' })}>
          {t('console-messages.write')}
        </Link>
      }
    >
      <Segmented
        label={t('console-messages.show')}
        current={isUnread ? 'unread' : 'all'}
        options={[
          { value: 'all', label: t('console-messages.all') },
          { value: 'unread', label: t('console-messages.unreadOnly'), count },
        ]}
        hrefOf={(value) => (value === 'all' ? PATH : `${PATH}?unread=1`)}
      />
      <Listing
        address={address}
        caption={t('console.nav.messages')}
        list={list}
        columns={columns()}
        keyOf={({ affiliate_id }) => affiliate_id}
        hrefOf={({ affiliate_id }) => `${PATH}/${affiliate_id}`}
        filters={[]}
        empty={
          isUnread ? (
            <EmptyState of="console-messages.allRead" />
          ) : (
            <EmptyState of="console-messages.empty" />
          )
        }
      />
      {address.get('write') !== '' && (
        <Dialog title={t('console-messages.write')} onClose={close}>
          <Form
            action={t('console-messages.next')}
            showsReasons
            isSilent
            submit={async ({ affiliate = '' }) => {
              const id = (await affiliateWithLogin(affiliate)) ?? 0;
              // Says that there is none.
              await api.affiliates.get(id);
              navigate(`${PATH}/${id}`, { replace: true });
            }}
          >
            <AffiliateField name="affiliate" label={t('console-messages.to')} required />
          </Form>
        </Dialog>
      )}
    </Screen>
  );
}
