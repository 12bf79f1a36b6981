import { useLocation } from 'wouter-preact';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Listing } from '../../ui/listing.tsx';
import { t } from '../../words.ts';
import { Link } from 'wouter-preact';
import { couponColumns } from '../coupons/coupon-columns.tsx';
import { CouponDialogs } from '../coupons/coupon-dialogs.tsx';
import type { TabProps } from './tab-props.ts';

/** The coupons of one affiliate, with their rates. */
export function CouponsTab({ affiliate, address }: TabProps) {
  const { id, user } = affiliate;
  const { page } = address;
  const [, navigate] = useLocation();
  const list = useData('affiliates', { id, part: 'coupons', page }, () =>
    api.coupons.search({ user_id: id, page, per_page: 25 }),
  );
  const add = (
    <Link class="button" data-kind="quiet" href={address.hrefOf({ coupon: 'new' })}>
      {t('console-coupons.create')}
    </Link>
  );
  return (
    <>
      {list.data && list.data.items.length > 0 && <div>{add}</div>}
      <Listing
        address={address}
        caption={t('console-affiliates.tab.coupons')}
        list={list}
        columns={couponColumns({ hasAffiliate: false })}
        keyOf={(coupon) => coupon.id}
        hrefOf={(coupon) => address.hrefOf({ coupon: String(coupon.id) })}
        filters={[]}
        empty={<EmptyState of="console-affiliates.noCoupons" action={add} />}
      />
      <CouponDialogs
        open={address.get('coupon')}
        login={user.login ?? ''}
        onClose={() => navigate(address.hrefOf({ coupon: undefined }), { replace: true })}
      />
    </>
  );
}
