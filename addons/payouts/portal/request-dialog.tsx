import { useLocation } from 'wouter-preact';
import { act } from '../../../web/act.ts';
import { api } from '../../../web/api.ts';
import { refresh, useData } from '../../../web/data.ts';
import { formatMoney } from '../../../web/format.ts';
import { Dialog } from '../../../web/ui/dialog.tsx';
import { Pending } from '../../../web/ui/error-state.tsx';
import { Facts } from '../../../web/ui/facts.tsx';
import { Form } from '../../../web/ui/form.tsx';
import { Money } from '../../../web/ui/money.tsx';
import { t } from '../../../web/words.ts';
import { methodName } from '../../../web/portal/method-name.ts';
import { sumOf, usePayoutChecks, type CouponBalance } from './payout-checks.ts';

interface RequestDialogProps {
  coupons: readonly CouponBalance[];
  userId: number;
}

/** Confirms how much is paid, and where to. */
export function RequestDialog({ coupons, userId }: RequestDialogProps) {
  const [, navigate] = useLocation();
  const close = () => navigate('/app/money', { replace: true });
  const checks = usePayoutChecks(coupons.map(({ id }) => id));
  const details = useData('payouts', { id: userId, part: 'details' }, ({ id }) =>
    api.affiliates.payoutDetails(id),
  );
  const retry = () => {
    checks.retry();
    details.retry();
  };
  const payable = checks.data?.filter(({ possible }) => possible) ?? [];
  const [first] = payable;
  const amount = sumOf(payable);
  const codeOf = (couponId: number) => coupons.find(({ id }) => id === couponId)?.code ?? '';
  return (
    <Dialog title={t('portal-money.requestTitle')} onClose={close}>
      {(!checks.data || !details.data) && (
        <Pending error={checks.error ?? details.error} retry={retry} lines={4} />
      )}
      {checks.data && details.data && !first && (
        // Requested in another tab, or before the page was reloaded.
        <p>{t('portal-money.notPossible')}</p>
      )}
      {first && details.data && (
        <>
          <Facts
            facts={[
              { name: t('portal-money.amount'), value: <Money amount={amount} /> },
              ...(payable.length > 1
                ? payable.map((check) => ({
                    name: codeOf(check.coupon_id),
                    value: <Money amount={check.amount} />,
                  }))
                : [{ name: t('portal-money.code'), value: codeOf(first.coupon_id) }]),
              { name: t('portal-money.method'), value: methodName(first) },
              first.method_type !== 'credit' && {
                name: t('portal-money.destination'),
                value: details.data.masked,
              },
            ]}
          />
          <p class="muted">{t('portal-money.requestText')}</p>
          <Form
            action={t('portal-money.requestAction', { amount: formatMoney(amount) })}
            submit={async () => {
              const opened = await withdraw(payable.map(({ coupon_id }) => coupon_id));
              // The back button may have closed the dialog.
              if (location.search.includes('request=')) {
                navigate(`/app/money?payout=${opened.join()}`, { replace: true });
              }
            }}
          />
        </>
      )}
    </Dialog>
  );
}

/**
 * Requests the payouts of coupons together, and returns their ids. The key of the request is kept until it was answered,
 * across a reload of the page: pressing the button again then leads to the same payouts.
 */
async function withdraw(couponIds: number[]): Promise<number[]> {
  const name = `payouts of ${couponIds.join()}`;
  const idempotencyKey = sessionStorage.getItem(name) ?? crypto.randomUUID();
  sessionStorage.setItem(name, idempotencyKey);
  try {
    const { payouts } = await act(
      (options) => api.withdrawals.create({ coupon_ids: couponIds }, options),
      { idempotencyKey },
    );
    sessionStorage.removeItem(name);
    return payouts.map(({ id }) => id);
  } finally {
    // A refusal also says that the balances are not what the page shows.
    await refresh('balance', 'payouts');
  }
}
