import type { Payout } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { useData } from '../../../web/data.ts';
import { useSession } from '../../../web/session.ts';
import { moneyColumn, relativeDateColumn, textColumn } from '../../../web/ui/columns.tsx';
import type { Column } from '../../../web/ui/data-table.tsx';
import { EmptyState } from '../../../web/ui/empty-state.tsx';
import { Listing } from '../../../web/ui/listing.tsx';
import { Pill } from '../../../web/ui/pill.tsx';
import { t } from '../../../web/words.ts';
import { useAddress } from '../../../web/frame/address.ts';
import { methodName } from '../../../web/portal/method-name.ts';
import { sumOf } from './payout-checks.ts';
import { stateKinds } from './payout-state.ts';

const PER_PAGE = 12;

/** Payouts that were requested together and are at the same point: for the affiliate, one withdrawal. */
type Withdrawal = readonly [Payout, ...Payout[]];

function withdrawalsIn(payouts: readonly Payout[]): Withdrawal[] {
  const groups = Map.groupBy(payouts, (one) => `${one.date} ${one.status} ${one.method_type}`);
  return [...groups.values()].map(([first, ...others]) => [first!, ...others]);
}

const columns = (): Column<Withdrawal>[] => [
  {
    key: 'payout',
    label: t('portal-money.payout'),
    phone: 'title',
    cell: (payouts) =>
      t('portal-money.payoutOf', {
        id: payouts.map(({ id }) => id).join(', '),
        code: payouts.map(({ coupon_code }) => coupon_code).join(', '),
      }),
  },
  relativeDateColumn('date', t('portal-money.requested'), 'detail', ([{ date }]) => date),
  textColumn('method', t('portal-money.method'), 'none', ([first]) => methodName(first)),
  {
    key: 'state',
    label: t('portal-money.state'),
    phone: 'state',
    cell: ([{ status }]) => (
      <Pill kind={stateKinds[status]}>{t(`portal-money.payoutState.${status}`)}</Pill>
    ),
  },
  moneyColumn('amount', t('portal-money.amount'), 'aside', (payouts) => sumOf(payouts)),
];

export function PayoutList() {
  const { me } = useSession();
  const address = useAddress('/app/money');
  const list = useData(
    'payouts',
    // A member of the team would get the payouts of all affiliates.
    { user_id: me.user.id, page: address.page, per_page: PER_PAGE },
    (input) => api.payouts.list(input),
  );
  return (
    <Listing
      address={address}
      title={t('portal-money.payoutsTitle')}
      caption={t('portal-money.payoutsTitle')}
      list={{ ...list, data: list.data && { ...list.data, items: withdrawalsIn(list.data.items) } }}
      columns={columns()}
      keyOf={([{ id }]) => id}
      hrefOf={(payouts) => address.hrefOf({ payout: payouts.map(({ id }) => id).join() })}
      filters={[]}
      empty={<EmptyState of="portal-money.noPayouts" />}
      lines={4}
    />
  );
}
