import { useState } from 'preact/hooks';
import { Link, useLocation, useSearchParams } from 'wouter-preact';
import { api } from '../../../web/api.ts';
import { refresh, useData } from '../../../web/data.ts';
import { useSession } from '../../../web/session.ts';
import { Card } from '../../../web/ui/card.tsx';
import { PendingCard } from '../../../web/ui/error-state.tsx';
import { Facts } from '../../../web/ui/facts.tsx';
import { Notice } from '../../../web/ui/notice.tsx';
import { StatusLine } from '../../../web/ui/status-line.tsx';
import { t } from '../../../web/words.ts';
import { methodName } from '../../../web/portal/method-name.ts';
import { Screen } from '../../../web/frame/screen.tsx';
import { DetailsForm } from './details-form.tsx';

const PATH = '/app/payout-details';

/** Where payouts go: masked once it is saved, and replaced as a whole. */
export function PayoutDetailsScreen() {
  const { id } = useSession().me.user;
  const [query] = useSearchParams();
  const [, navigate] = useLocation();
  const [isSaved, setSaved] = useState(false);
  const offered = useData('payout-methods', {}, () => api.payoutMethods.get());
  const saved = useData('payouts', { id, part: 'details' }, () => api.affiliates.payoutDetails(id));
  const error = offered.error ?? saved.error;
  const retry = () => {
    offered.retry();
    saved.retry();
  };
  const isChanging = query.has('change') || saved.data?.has_details === false;
  return (
    <Screen title={t('portal.nav.payoutDetails')}>
      {(!offered.data || !saved.data) && <PendingCard error={error} retry={retry} lines={5} />}
      {offered.data && saved.data && (
        <>
          <StatusLine kind="good">{isSaved && t('portal-payout-details.saved')}</StatusLine>
          {saved.data.has_details && (
            <Card title={t('portal-payout-details.current')}>
              <Facts
                facts={[
                  { name: t('portal-money.method'), value: methodName(saved.data) },
                  saved.data.method_type !== 'credit' && {
                    name: t('portal-money.destination'),
                    value: saved.data.masked,
                  },
                ]}
              />
              {!isChanging && (
                <p>
                  <Link class="button" data-kind="quiet" href={`${PATH}?change=1`}>
                    {t('portal-payout-details.change')}
                  </Link>
                </p>
              )}
              <p class="muted">{t('portal-payout-details.masked')}</p>
            </Card>
          )}
          {isChanging && (
            <Card
              title={t(
                saved.data.has_details
                  ? 'portal-payout-details.new'
                  : 'portal-payout-details.first',
              )}
            >
              {!saved.data.has_details && <p class="muted">{t('portal-payout-details.why')}</p>}
              {saved.data.has_details && offered.data.review_hours > 0 && (
                <Notice kind="info">
                  {t('portal-payout-details.review', { count: offered.data.review_hours })}
                </Notice>
              )}
              {offered.data.methods.length === 0 ? (
                <p>{t('portal-payout-details.noMethods')}</p>
              ) : (
                <DetailsForm
                  userId={id}
                  methods={offered.data.methods}
                  saved={saved.data.method_type}
                  onSaved={async () => {
                    await refresh('payouts');
                    setSaved(true);
                    navigate(PATH, { replace: true });
                  }}
                  cancel={
                    saved.data.has_details && (
                      <Link class="button" data-kind="quiet" href={PATH}>
                        {t('common.cancel')}
                      </Link>
                    )
                  }
                />
              )}
            </Card>
          )}
        </>
      )}
    </Screen>
  );
}
