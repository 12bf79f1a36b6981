import { useSearchParams } from 'wouter-preact';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { useSession } from '../../session.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PendingCard } from '../../ui/error-state.tsx';
import { t } from '../../words.ts';
import { Screen } from '../../frame/screen.tsx';
import { AddonParts } from '../addon-parts.tsx';
import { BalanceCard } from './balance-card.tsx';
import { PayoutDialog } from './payout-dialog.tsx';
import { PayoutList } from './payout-list.tsx';
import { RequestCard } from './request-card.tsx';
import { RequestDialog } from './request-dialog.tsx';
import { StatementCard } from './statement-card.tsx';

/** What was earned, where it is, and the way to get it. The open dialog is part of the address. */
export function MoneyScreen() {
  const { me, isView } = useSession();
  const { id } = me.user;
  const [query] = useSearchParams();
  const { data, error, retry } = useData('balance', { id }, () => api.affiliates.balance(id));
  const numbersIn = (name: string) => (query.get(name) ?? '').split(',').map(Number);
  const requested =
    data?.coupons.filter((coupon) => numbersIn('request').includes(coupon.id)) ?? [];
  const payoutIds = numbersIn('payout').filter((payoutId) => payoutId > 0);
  return (
    <Screen title={t('portal.nav.money')}>
      {!data && <PendingCard error={error} retry={retry} lines={8} />}
      {data && data.coupons.length === 0 && (
        <Card>
          <EmptyState of="portal-money.noCode" />
        </Card>
      )}
      {data && data.coupons.length > 0 && (
        <>
          <RequestCard balance={data} />
          <BalanceCard balance={data} />
          <AddonParts place="money" />
          <PayoutList />
          <StatementCard userId={id} />
        </>
      )}
      {requested.length > 0 && !isView && <RequestDialog coupons={requested} userId={id} />}
      {payoutIds.length > 0 && <PayoutDialog key={payoutIds.join()} ids={payoutIds} />}
    </Screen>
  );
}
