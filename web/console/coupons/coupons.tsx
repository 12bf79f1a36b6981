import { Link, useLocation } from 'wouter-preact';
import { act } from '../../act.ts';
import { api } from '../../api.ts';
import { refresh, useData } from '../../data.ts';
import { useAddress } from '../../frame/address.ts';
import { Screen } from '../../frame/screen.tsx';
import { useBusy } from '../../ui/busy.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { Listing } from '../../ui/listing.tsx';
import { Notice } from '../../ui/notice.tsx';
import { optionsOf } from '../../ui/options.ts';
import { SelectionBar, useSelection } from '../../ui/selection.tsx';
import { t } from '../../words.ts';
import { couponColumns } from './coupon-columns.tsx';
import { CouponDialogs } from './coupon-dialogs.tsx';
import { RewardTabs } from '../rewards/reward-tabs.tsx';
import './coupons.css';

const PATH = '/console/coupons';
const PER_PAGE = 25;
const sorts = ['-created', 'created', 'code', '-code'] as const;
const statuses = ['active', 'disabled'] as const;

/** Every code with its affiliate, rate and figures. Search, filters, page and the open coupon are the address. */
export function Coupons() {
  const address = useAddress(PATH);
  const [, navigate] = useLocation();
  const { isBusy, error, run } = useBusy();
  const sort = address.oneOf('sort', sorts) ?? '-created';
  const status = address.oneOf('status', statuses);
  const assigned = address.oneOf('assigned', ['yes', 'no']);
  const q = address.get('q');
  const list = useData(
    'coupons',
    {
      search: q || undefined,
      status,
      assigned: assigned && assigned === 'yes',
      sort,
      page: address.page,
      per_page: PER_PAGE,
    },
    (input) => api.coupons.search(input),
  );
  const selection = useSelection(list.data?.items.map(({ id }) => id) ?? []);
  const disable = async () => {
    try {
      for (const id of selection.ids) {
        await act((options) => api.coupons.update(Number(id), { status: 'disabled' }, options));
      }
      selection.setAll(false);
    } finally {
      await refresh('coupons', 'affiliates');
    }
  };
  return (
    <Screen
      title={t('console.nav.coupons')}
      aside={
        <Link class="button" data-kind="primary" href={address.hrefOf({ coupon: 'new' })}>
          {t('console-coupons.create')}
        </Link>
      }
    >
      <RewardTabs current="coupons" />
      <FilterBar
        address={address}
        list={list}
        search={t('console-coupons.search')}
        filters={[
          {
            name: 'status',
            label: t('console-coupons.status'),
            options: optionsOf(statuses, (value) => t(`console-coupons.status.${value}`)),
          },
          {
            name: 'assigned',
            label: t('console-coupons.affiliate'),
            options: optionsOf(['yes', 'no'], (value) => t(`console-coupons.assigned.${value}`)),
          },
        ]}
      />
      {error && <Notice kind="bad">{error}</Notice>}
      <Listing
        address={address}
        caption={t('console.nav.coupons')}
        list={list}
        columns={couponColumns({ hasAffiliate: true })}
        keyOf={({ id }) => id}
        nameOf={({ code }) => code}
        hrefOf={({ id }) => address.hrefOf({ coupon: String(id) })}
        selection={selection}
        defaultSort="-created"
        filters={['q', 'status', 'assigned']}
        empty={<EmptyState of="console-coupons.empty" />}
      />
      <SelectionBar selection={selection}>
        <Button kind="danger" type="button" busy={isBusy} onClick={() => run(disable)}>
          {t('console-coupons.disable')}
        </Button>
      </SelectionBar>
      <CouponDialogs
        open={address.get('coupon')}
        onClose={() => navigate(address.hrefOf({ coupon: undefined }), { replace: true })}
      />
    </Screen>
  );
}
