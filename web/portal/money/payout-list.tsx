import { useSearchParams } from 'wouter-preact';
import type { Payout } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { useSession } from '../../session.ts';
import { Card } from '../../ui/card.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Pending } from '../../ui/error-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Money } from '../../ui/money.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Pill } from '../../ui/pill.tsx';
import { t } from '../../words.ts';
import { withQuery } from '../../frame/navigation.ts';
import { methodName } from '../method-name.ts';
import { stateKinds } from './payout-state.ts';

const PER_PAGE = 12;

const columns = (): Column<Payout>[] => [
  {
    key: 'payout',
    label: t('portal.money.payout'),
    phone: 'title',
    cell: ({ id, coupon_code }) =>
      t('portal.money.payoutOf', { id: String(id), code: coupon_code }),
  },
  {
    key: 'date',
    label: t('portal.money.requested'),
    phone: 'detail',
    cell: ({ date }) => <Moment date={date} />,
  },
  { key: 'method', label: t('portal.money.method'), phone: 'none', cell: methodName },
  {
    key: 'state',
    label: t('portal.money.state'),
    phone: 'state',
    cell: ({ status }) => (
      <Pill kind={stateKinds[status]}>{t(`portal.payoutState.${status}`)}</Pill>
    ),
  },
  {
    key: 'amount',
    label: t('portal.money.amount'),
    isNumber: true,
    phone: 'aside',
    cell: ({ amount }) => <Money amount={amount} />,
  },
];

export function PayoutList() {
  const { me } = useSession();
  const [query] = useSearchParams();
  const page = Math.max(1, Number(query.get('page')) || 1);
  const { data, error, stale, retry } = useData(
    'payouts',
    // A member of the team would get the payouts of all affiliates.
    { user_id: me.user.id, page, per_page: PER_PAGE },
    (input) => api.payouts.list(input),
  );
  const address = (changes: Record<string, string | undefined>) =>
    withQuery('/app/money', query.toString(), changes);
  return (
    <Card labelledBy="payouts-title">
      <h2 id="payouts-title">{t('portal.money.payoutsTitle')}</h2>
      {!data && <Pending error={error} retry={retry} lines={4} />}
      {data?.items.length === 0 && (
        <EmptyState title={t('portal.money.noPayoutsTitle')}>
          {t('portal.money.noPayoutsText')}
        </EmptyState>
      )}
      {data && data.items.length > 0 && (
        <DataTable
          caption={t('portal.money.payoutsTitle')}
          columns={columns()}
          rows={data.items}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => address({ payout: String(id) })}
          stale={stale}
        />
      )}
      {data && (
        <Pager
          label={t('portal.money.payoutsTitle')}
          page={page}
          pages={data.pages}
          hrefOf={(number) => address({ page: String(number) })}
        />
      )}
    </Card>
  );
}
