import type { FunctionComponent } from 'preact';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { useSession } from '../../session.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PendingCard } from '../../ui/error-state.tsx';
import { t } from '../../words.ts';
import { Screen } from '../../frame/screen.tsx';
import { activeParts, AddonParts } from '../addon-parts.tsx';
import { BalanceCard } from './balance-card.tsx';
import type { MoneyPart } from './money-part.ts';
import { StatementCard } from './statement-card.tsx';

/** The screen with what add-ons show on it, so that it is drawn whole. */
export async function loadMoneyScreen(): Promise<FunctionComponent> {
  const parts = await Promise.all(activeParts.flatMap(({ moneyScreen }) => moneyScreen?.() ?? []));
  return () => <MoneyScreen parts={parts} />;
}

/** What was earned, where it is, and the way to get it. */
function MoneyScreen({ parts }: { parts: readonly MoneyPart[] }) {
  const { id } = useSession().me.user;
  const { data, error, retry } = useData('balance', { id }, () => api.affiliates.balance(id));
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
          {parts.map(({ Above }, i) => (
            <Above key={i} balance={data} />
          ))}
          <BalanceCard balance={data} />
          <AddonParts place="money" />
          {parts.map(({ Below }, n) => (
            <Below key={n} />
          ))}
          <StatementCard userId={id} />
        </>
      )}
      {parts.map(({ Dialogs }, i) => (
        <Dialogs key={i} balance={data} />
      ))}
    </Screen>
  );
}
