import { Link as LinkIcon } from 'lucide-preact';
import { useLocation } from 'wouter-preact';
import type { ListedCreative } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { useData } from '../../../web/data.ts';
import { formatDate } from '../../../web/format.ts';
import { useAddress } from '../../../web/frame/address.ts';
import { Screen } from '../../../web/frame/screen.tsx';
import { Button } from '../../../web/ui/button.tsx';
import type { Column } from '../../../web/ui/data-table.tsx';
import { EmptyState } from '../../../web/ui/empty-state.tsx';
import { FilterBar } from '../../../web/ui/filter-bar.tsx';
import { Listing } from '../../../web/ui/listing.tsx';
import { formatNumber, t } from '../../../web/words.ts';
import { CreativeDialog, kinds } from './creative-dialog.tsx';
import './creatives.css';

/** What affiliates find to share, with the clicks and orders that it led to. */
export function Creatives() {
  const address = useAddress('/console/creatives');
  const [, navigate] = useLocation();
  const { page } = address;
  const kind = address.oneOf('kind', kinds);
  const list = useData('creatives', { page, per_page: 25, kind }, (input) =>
    api.creatives.list(input),
  );
  const openId = Number(address.get('creative'));
  const open = list.data?.items.find(({ id }) => id === openId);
  const isNew = address.get('dialog') === 'new';
  const close = () => navigate(address.hrefOf({ dialog: undefined, creative: undefined }));
  return (
    <Screen
      title={t('console.nav.creatives')}
      aside={
        <Button onClick={() => navigate(address.hrefOf({ dialog: 'new' }))}>
          {t('console-creatives.create')}
        </Button>
      }
    >
      <FilterBar
        address={address}
        list={list}
        filters={[
          {
            name: 'kind',
            label: t('console-creatives.kind'),
            options: kinds.map((one) => ({
              value: one,
              label: t(`console-creatives.kind.${one}`),
            })),
          },
        ]}
      />
      <Listing
        address={address}
        caption={t('console.nav.creatives')}
        list={list}
        columns={columns()}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        hrefOf={({ id }) => address.hrefOf({ creative: String(id) })}
        filters={['kind']}
        empty={
          <EmptyState title={t('console-creatives.emptyTitle')}>
            {t('console-creatives.emptyText')}
          </EmptyState>
        }
      />
      {isNew && <CreativeDialog onClose={close} />}
      {open && <CreativeDialog key={open.id} creative={open} onClose={close} />}
    </Screen>
  );
}

const columns = (): readonly Column<ListedCreative>[] => [
  {
    key: 'name',
    label: t('console-creatives.name'),
    phone: 'title',
    cell: ({ name, file, text, url, description }) => (
      <span class="creative-card">
        {file?.thumbnail ? (
          <img src={new URL(file.thumbnail).pathname} alt="" loading="lazy" />
        ) : (
          <span class="creative-text" aria-hidden>
            {text || file?.name || url || description || <LinkIcon />}
          </span>
        )}
        <span class="breakable">{name}</span>
      </span>
    ),
  },
  {
    key: 'kind',
    label: t('console-creatives.kind'),
    phone: 'state',
    cell: ({ kind }) => t(`console-creatives.kind.${kind}`),
  },
  {
    key: 'category',
    label: t('console-creatives.category'),
    phone: 'none',
    cell: ({ category }) => category,
  },
  {
    key: 'audience',
    label: t('console-creatives.audience'),
    phone: 'detail',
    cell: ({ groups, affiliates }) => audienceOf(groups, affiliates.length),
  },
  {
    key: 'shown',
    label: t('console-creatives.shown'),
    phone: 'none',
    cell: ({ from, to }) => periodOf(from, to),
  },
  {
    key: 'clicks',
    label: t('console-creatives.clicks'),
    isNumber: true,
    phone: 'aside',
    cell: ({ clicks }) => formatNumber(clicks),
  },
  {
    key: 'orders',
    label: t('console-creatives.orders'),
    isNumber: true,
    phone: 'none',
    cell: ({ orders }) => formatNumber(orders),
  },
];

function audienceOf(groups: readonly string[], affiliates: number): string {
  const some = affiliates > 0 ? [t('console-creatives.someAffiliates', { count: affiliates })] : [];
  return [...groups, ...some].join(', ') || t('console-creatives.all');
}

function periodOf(from: string | null, to: string | null): string {
  if (from && to) return `${formatDate(from, 'day')} – ${formatDate(to, 'day')}`;
  if (from) return t('console-creatives.fromDay', { day: formatDate(from, 'day') });
  if (to) return t('console-creatives.toDay', { day: formatDate(to, 'day') });
  return t('console-creatives.always');
}
