import { useLocation } from 'wouter-preact';
import type { AffiliateBalance } from '../../../sdk/src/index.ts';
import { act } from '../../act.ts';
import { api } from '../../api.ts';
import { refresh, useData } from '../../data.ts';
import { formatMoney } from '../../format.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Form } from '../../ui/form.tsx';
import { Money } from '../../ui/money.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { t } from '../../words.ts';
import { methodName } from '../method-name.ts';

interface RequestDialogProps {
  coupon: AffiliateBalance['coupons'][number];
  userId: number;
}

/** Confirms how much is paid, and where to. */
export function RequestDialog({ coupon, userId }: RequestDialogProps) {
  const [, navigate] = useLocation();
  const close = () => navigate('/app/money', { replace: true });
  const check = useData('payouts', { id: coupon.id, part: 'check' }, ({ id }) =>
    api.coupons.payoutCheck(id),
  );
  const details = useData('payouts', { id: userId, part: 'details' }, ({ id }) =>
    api.affiliates.payoutDetails(id),
  );
  const error = check.error ?? details.error;
  return (
    <Dialog title={t('portal.money.requestTitle')} onClose={close}>
      {(!check.data || !details.data) &&
        (error === undefined ? (
          <Skeleton lines={4} />
        ) : (
          <ErrorState
            error={error}
            retry={() => {
              check.retry();
              details.retry();
            }}
          />
        ))}
      {check.data && details.data && !check.data.possible && (
        // Requested in another tab, or before the page was reloaded.
        <p>{t('portal.money.notPossible')}</p>
      )}
      {check.data?.possible && details.data && (
        <>
          <Facts
            facts={[
              { name: t('portal.money.amount'), value: <Money amount={check.data.amount} /> },
              { name: t('portal.money.code'), value: coupon.code },
              { name: t('portal.money.method'), value: methodName(check.data) },
              check.data.method_type !== 'credit' && {
                name: t('portal.money.destination'),
                value: details.data.masked,
              },
            ]}
          />
          <p class="muted">{t('portal.money.requestText')}</p>
          <Form
            action={t('portal.money.requestAction', { amount: formatMoney(check.data.amount) })}
            submit={async () => {
              const payout = await requestPayout(coupon.id);
              // The back button may have closed the dialog.
              if (location.search.includes('request=')) {
                navigate(`/app/money?payout=${payout.id}`, { replace: true });
              }
            }}
          />
        </>
      )}
    </Dialog>
  );
}

/**
 * Requests the payout of a coupon. The key of the request is kept until it was answered, across a reload of
 * the page: pressing the button again then leads to the same payout.
 */
async function requestPayout(couponId: number) {
  const name = `payout of ${couponId}`;
  const idempotencyKey = sessionStorage.getItem(name) ?? crypto.randomUUID();
  sessionStorage.setItem(name, idempotencyKey);
  const payout = await act((options) => api.payouts.request({ coupon_id: couponId }, options), {
    idempotencyKey,
  });
  sessionStorage.removeItem(name);
  await refresh('balance', 'payouts');
  return payout;
}
