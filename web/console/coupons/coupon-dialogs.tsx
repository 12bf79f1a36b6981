import { useState } from 'preact/hooks';
import type { CouponDetails } from '../../../sdk/src/index.ts';
import { act } from '../../act.ts';
import { api } from '../../api.ts';
import { refresh, useData } from '../../data.ts';
import { formatDate } from '../../format.ts';
import { useBusy } from '../../ui/busy.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Pending } from '../../ui/error-state.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Money } from '../../ui/money.tsx';
import { Notice } from '../../ui/notice.tsx';
import { formatNumber, t } from '../../words.ts';
import { CreateCouponForm, EditCouponForm } from './coupon-forms.tsx';

interface CouponDialogsProps {
  /** What the address says: `new`, the id of a coupon, or nothing. */
  open: string;
  /** The login of the affiliate that a new coupon is for. */
  login?: string;
  onClose(): void;
}

export function CouponDialogs({ open, login = '', onClose }: CouponDialogsProps) {
  const id = Number(open);
  if (open === 'new') {
    return (
      <Dialog title={t('console-coupons.create')} onClose={onClose}>
        <CreateCouponForm login={login} onClose={onClose} />
      </Dialog>
    );
  }
  return id > 0 ? <CouponDialog key={id} id={id} onClose={onClose} /> : null;
}

function CouponDialog({ id, onClose }: { id: number; onClose(): void }) {
  const { data, error, retry } = useData('coupons', { id }, () => api.coupons.get(id));
  return (
    <Dialog title={data?.code ?? t('console-coupons.single')} onClose={onClose}>
      {!data && <Pending error={error} retry={retry} lines={8} />}
      {data && (
        <>
          <CouponFacts coupon={data} />
          <EditCouponForm coupon={data} onClose={onClose} />
        </>
      )}
    </Dialog>
  );
}

function CouponFacts({ coupon }: { coupon: CouponDetails }) {
  const { stats } = coupon;
  return (
    <>
      <Facts
        facts={[
          { name: t('console-coupons.uses'), value: formatNumber(stats.orders_count) },
          { name: t('console-coupons.sales'), value: <Money amount={stats.total_sales} /> },
          {
            name: t('console-coupons.commission'),
            value: <Money amount={stats.total_commission} />,
          },
          { name: t('console-coupons.unpaid'), value: <Money amount={coupon.unpaid_commission} /> },
          {
            name: t('console-coupons.link'),
            value: (
              <span class="coupon-link">
                <a href={coupon.referral_url} rel="noreferrer">
                  {coupon.referral_url}
                </a>
                <CopyButton text={coupon.referral_url} label={t('console-coupons.copyLink')} />
              </span>
            ),
          },
          stats.last_refreshed !== null && {
            name: t('console-coupons.refreshed'),
            value: formatDate(stats.last_refreshed, 'exact'),
          },
        ]}
      />
      <RefreshButton id={coupon.id} />
    </>
  );
}

/** Rebuilds the figures from the orders. The service does so once a minute per coupon, and says so. */
function RefreshButton({ id }: { id: number }) {
  const { isBusy, error, run } = useBusy();
  const [outcome, setOutcome] = useState<'throttled' | 'rebuilt'>();
  const rebuild = async () => {
    setOutcome(undefined);
    const { source } = await act((options) => api.coupons.stats(id, { refresh: true }, options));
    setOutcome(source === 'throttled' ? 'throttled' : 'rebuilt');
    await refresh('coupons', 'affiliates');
  };
  return (
    <>
      {error && <Notice kind="bad">{error}</Notice>}
      {outcome && (
        <Notice kind={outcome === 'rebuilt' ? 'good' : 'warn'}>
          {t(`console-coupons.${outcome}`)}
        </Notice>
      )}
      <div>
        <Button kind="quiet" type="button" busy={isBusy} onClick={() => run(rebuild)}>
          {t('console-coupons.rebuild')}
        </Button>
      </div>
    </>
  );
}
