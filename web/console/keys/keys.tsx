import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { OwnedApiKey } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { formatDate } from '../../format.ts';
import { useAddress } from '../../frame/address.ts';
import { Screen } from '../../frame/screen.tsx';
import { Button } from '../../ui/button.tsx';
import { textColumn } from '../../ui/columns.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { Listing } from '../../ui/listing.tsx';
import { Moment } from '../../ui/moment.tsx';
import { optionsOf } from '../../ui/options.ts';
import { Pill, type PillKind } from '../../ui/pill.tsx';
import { t } from '../../words.ts';
import { CreatedKey, CreateKey } from './create-key.tsx';
import { KeyDetails } from './key-details.tsx';

const statuses = ['active', 'revoked', 'expired'] as const;

/** The API keys of all people, and a new one. */
export function Keys() {
  const address = useAddress('/console/keys');
  const [, navigate] = useLocation();
  const [token, setToken] = useState<string>();
  const { page } = address;
  const status = address.oneOf('status', statuses);
  const list = useData('keys', { page, per_page: 25, status }, (input) => api.apiKeys.list(input));
  const close = () => navigate(address.hrefOf({ dialog: undefined, key: undefined }));
  const openId = Number(address.get('key'));
  const open = list.data?.items.find(({ id }) => id === openId);
  return (
    <Screen
      title={t('console.nav.keys')}
      aside={
        <Button onClick={() => navigate(address.hrefOf({ dialog: 'new' }))}>
          {t('console-keys.create')}
        </Button>
      }
    >
      <FilterBar
        address={address}
        list={list}
        filters={[
          {
            name: 'status',
            label: t('console-keys.status'),
            options: optionsOf(statuses, (one) => t(`console-keys.status.${one}`)),
          },
        ]}
      />
      <Listing
        address={address}
        caption={t('console.nav.keys')}
        list={list}
        columns={columns()}
        keyOf={({ id }) => id}
        nameOf={({ description, key_prefix: prefix }) => description || prefix}
        hrefOf={({ id }) => address.hrefOf({ key: String(id) })}
        filters={['status']}
        empty={<EmptyState of="console-keys.empty" />}
      />
      {address.get('dialog') === 'new' && !token && (
        <CreateKey onClose={close} onCreated={setToken} />
      )}
      {token && (
        <CreatedKey
          token={token}
          onClose={() => {
            setToken(undefined);
            close();
          }}
        />
      )}
      {open && <KeyDetails key={open.id} apiKey={open} onClose={close} />}
    </Screen>
  );
}

const kinds: Record<OwnedApiKey['status'], PillKind> = {
  active: 'good',
  revoked: 'plain',
  expired: 'warn',
};

const columns = (): readonly Column<OwnedApiKey>[] => [
  {
    key: 'key',
    label: t('console-keys.key'),
    phone: 'title',
    cell: ({ description }) => description || t('console-keys.noDescription'),
  },
  {
    key: 'owner',
    label: t('console-keys.owner'),
    phone: 'detail',
    cell: ({ owner }) => <span class="breakable">{owner.display_name || owner.login}</span>,
  },
  textColumn('scopes', t('console-keys.scopes'), 'none', ({ scopes }) =>
    scopes.map((scope) => t(`console-keys.scope.${scope}`)).join(', '),
  ),
  {
    key: 'used',
    label: t('console-keys.lastUsed'),
    phone: 'aside',
    cell: ({ last_used: used }) => (
      <>
        <span class="phone-only">{t('console-keys.lastUsed')}: </span>
        {used ? <Moment date={used} /> : t('console-keys.never')}
      </>
    ),
  },
  textColumn('expires', t('console-keys.expiry'), 'none', ({ date_expires: end }) =>
    end ? formatDate(end, 'day') : t('console-keys.noExpiry'),
  ),
  {
    key: 'status',
    label: t('console-keys.status'),
    phone: 'state',
    cell: ({ status }) => <Pill kind={kinds[status]}>{t(`console-keys.status.${status}`)}</Pill>,
  },
];
