import { useParams } from 'wouter-preact';
import { Screen } from '../../frame/screen.tsx';
import { Card } from '../../ui/card.tsx';
import { t } from '../../words.ts';
import { OrderPanel } from './order-panel.tsx';

/** One order as a page of its own, for links from elsewhere. */
export function OrderDetail() {
  const { id = '' } = useParams();
  return (
    <Screen
      title={t('console-orders.number', { number: id })}
      back={{ href: '/console/orders', label: t('console.nav.orders') }}
    >
      <Card>
        <OrderPanel orderId={Number(id)} heading="h2" />
      </Card>
    </Screen>
  );
}
