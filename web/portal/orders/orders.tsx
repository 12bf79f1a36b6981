import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { useSession } from '../../session.ts';
import { DownloadButton } from '../../ui/download-button.tsx';
import { earningsStates } from '../../ui/earnings-pill.tsx';
import { SearchField } from '../../ui/filter-bar.tsx';
import { Listing } from '../../ui/listing.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { t } from '../../words.ts';
import { useAddress } from '../../frame/address.ts';
import { Screen } from '../../frame/screen.tsx';
import { AddonParts } from '../addon-parts.tsx';
import { CommissionDialog } from './commission-dialog.tsx';
import { keyOfOrder, NoOrders, orderColumns } from './order-table.tsx';
import './orders.css';

const PER_PAGE = 20;

/** The orders that earned something, and those that did not. Search, state and page are the address. */
export function Orders() {
  const { me } = useSession();
  const address = useAddress('/app/orders');
  const state = address.oneOf('state', earningsStates);
  const open = Number(address.get('order')) || undefined;
  const list = useData(
    'orders',
    { search: address.get('q') || undefined, state, page: address.page, per_page: PER_PAGE },
    (input) => api.affiliates.orders.list(me.user.id, input),
  );
  return (
    <Screen
      title={t('portal.nav.orders')}
      aside={
        list.data !== undefined &&
        list.data.items.length > 0 && (
          <DownloadButton
            label={t('portal-orders.csv')}
            fileName="orders.csv"
            load={(options) =>
              api.affiliates.ordersCsv(me.user.id, { from: '1970-01-01' }, options)
            }
          />
        )
      }
    >
      <div class="filter-bar orders-filters">
        <SearchField address={address} label={t('portal-orders.search')} />
        <Segmented
          label={t('portal-orders.filter')}
          current={state ?? ''}
          options={[
            { value: '', label: t('portal-orders.all') },
            ...earningsStates.map((value) => ({ value, label: t(`common.earnings.${value}`) })),
          ]}
          hrefOf={(value) => address.hrefOf({ state: value, page: undefined })}
        />
      </div>
      <Listing
        address={address}
        caption={t('portal.nav.orders')}
        list={list}
        columns={orderColumns(list.data?.items ?? [], me.coupons.length > 1)}
        keyOf={keyOfOrder}
        hrefOf={({ order_id }) => address.hrefOf({ order: String(order_id) })}
        filters={['q', 'state']}
        empty={<NoOrders />}
      />
      <AddonParts place="orders" />
      {open !== undefined && (
        <CommissionDialog
          orderId={open}
          order={list.data?.items.find(({ order_id }) => order_id === open)}
          closeHref={address.hrefOf({ order: undefined })}
        />
      )}
    </Screen>
  );
}
