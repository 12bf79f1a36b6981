import { Link, useLocation } from 'wouter-preact';
import { api } from '../../../web/api.ts';
import { useData } from '../../../web/data.ts';
import { Dialog } from '../../../web/ui/dialog.tsx';
import { Pending } from '../../../web/ui/error-state.tsx';
import { Facts } from '../../../web/ui/facts.tsx';
import { Money } from '../../../web/ui/money.tsx';
import { Notice } from '../../../web/ui/notice.tsx';
import { Pill } from '../../../web/ui/pill.tsx';
import { Timeline } from '../../../web/ui/timeline.tsx';
import { hasWord, t } from '../../../web/words.ts';
import { useAddress } from '../../../web/frame/address.ts';
import { methodName } from '../../../web/portal/method-name.ts';
import { sumOf } from './payout-checks.ts';
import { stateKinds, stepsOf } from './payout-state.ts';

const load = async (id: number) => {
  const [payout, changes] = await Promise.all([api.payouts.get(id), api.payouts.changes.list(id)]);
  return { payout, changes: changes.items };
};

/** One payout, or those that were requested together: where they are, and when they went there. */
export function PayoutDialog({ ids }: { ids: readonly number[] }) {
  const [, navigate] = useLocation();
  const { hrefOf } = useAddress('/app/money');
  const close = () => navigate(hrefOf({ payout: undefined }), { replace: true });
  const { data, error, retry } = useData('payouts', { ids: ids.join(), part: 'details' }, () =>
    Promise.all(ids.map(load)),
  );
  return (
    <Dialog title={t('portal-money.payoutTitle', { id: ids.join(', ') })} onClose={close}>
      {!data && <Pending error={error} retry={retry} lines={6} />}
      {data && data.length > 1 && (
        <Facts
          facts={[
            {
              name: t('portal-money.amount'),
              value: <Money amount={sumOf(data.map(({ payout }) => payout))} />,
            },
          ]}
        />
      )}
      {data?.map((one) => (
        <PayoutFacts key={one.payout.id} {...one} />
      ))}
    </Dialog>
  );
}

function PayoutFacts({ payout, changes }: Awaited<ReturnType<typeof load>>) {
  const { failure_reason: failure, status, transaction_id: reference } = payout;
  return (
    <>
      <Facts
        facts={[
          { name: t('portal-money.code'), value: payout.coupon_code },
          { name: t('portal-money.amount'), value: <Money amount={payout.amount} /> },
          {
            name: t('portal-money.state'),
            value: <Pill kind={stateKinds[status]}>{t(`portal-money.payoutState.${status}`)}</Pill>,
          },
          { name: t('portal-money.method'), value: methodName(payout) },
          reference !== '' && { name: t('portal-money.reference'), value: reference },
        ]}
      />
      {failure && (
        <Notice kind="warn">
          {failureSentence(failure)}{' '}
          <Link href="/app/payout-details">{t('portal.nav.payoutDetails')}</Link>
        </Notice>
      )}
      <Timeline label={t('portal-money.timeline')} steps={stepsOf(changes)} />
    </>
  );
}

function failureSentence({ code, message }: { code: string; message: string }): string {
  const key = `portal-money.payoutFailure.${code}`;
  return hasWord(key) ? t(key) : message;
}
