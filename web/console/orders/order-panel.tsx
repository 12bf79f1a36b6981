import { Link } from 'wouter-preact';
import type { CommissionOfReferral, OrderListItem, StoredOrder } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { countryName } from '../../../src/shared/formats.ts';
import { formatDate, formatMoney } from '../../format.ts';
import { Calculation } from '../../ui/calculation.tsx';
import { Pending } from '../../ui/error-state.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Money } from '../../ui/money.tsx';
import { currentLanguage, formatNumber, t } from '../../words.ts';
import { ObjectLink } from '../object-link.tsx';
import { OrderNotes } from '../addon-notes.tsx';
import { CustomerOwner } from './customer-owner.tsx';
import { earningsOf, StatusPill } from './order-words.tsx';
import './order-panel.css';

interface OrderPanelProps {
  orderId: number;
  /** One level below the title of the page or the dialog. */
  heading: 'h2' | 'h3';
}

/** An order and why it earns what it earns: whom it is credited to and by what, and the calculation. */
export function OrderPanel({ orderId, heading: Heading }: OrderPanelProps) {
  const { data, error, retry } = useData('orders', { id: orderId }, async () => {
    const [order, commission, found] = await Promise.all([
      api.orders.get(orderId),
      api.orders.commission(orderId),
      api.orders.list({ search: String(orderId) }),
    ]);
    return { order, commission, listed: found.items.find((one) => one.order_id === orderId) };
  });
  if (!data) {
    return <Pending error={error} retry={retry} lines={8} height="1.75rem" />;
  }
  const { order, commission, listed } = data;
  return (
    <div class="order-panel" data-wide={Heading === 'h2'}>
      <p class="order-head">
        <StatusPill status={order.status} />
        <span class="muted">{formatDate(order.date, 'exact')}</span>
      </p>
      <OrderNotes orderId={orderId} />
      <section class="order-panel order-reason">
        <Heading class="visually-hidden">{t('console-orders.why')}</Heading>
        {commission.referrals.length === 0 && <p>{t('console-orders.whyNone')}</p>}
        {commission.referrals.map((referral) => (
          <Explanation
            key={referral.coupon_id}
            explained={referral}
            status={order.status}
            decided={order.date_decided}
            listed={listed?.referrals.find(({ coupon_id }) => coupon_id === referral.coupon_id)}
          />
        ))}
      </section>
      <div class="order-panel order-about">
        <OrderFacts order={order} />
        <CustomerOwner orderId={orderId} heading={Heading} />
      </div>
      <p>
        <Link class="lone-link" href={`/console/activity?about=order&q=${orderId}`}>
          {t('console-orders.activity')}
        </Link>
      </p>
    </div>
  );
}

type Referral = OrderListItem['referrals'][number];

interface ExplanationProps {
  explained: CommissionOfReferral;
  /** Undefined after the coupon was removed from the order. */
  listed: Referral | undefined;
  status: StoredOrder['status'];
  decided: StoredOrder['date_decided'];
}

function Explanation({ explained, listed, status, decided }: ExplanationProps) {
  return (
    <div class="order-why">
      <p class="order-result">{sentenceOf(listed, status)}</p>
      <Facts
        facts={[
          listed !== undefined && {
            name: t('console-orders.affiliate'),
            value: listed.affiliate ? (
              <ObjectLink type="affiliate" id={listed.affiliate.id}>
                {listed.affiliate.name}
              </ObjectLink>
            ) : (
              t('console-orders.unassigned')
            ),
          },
          listed !== undefined && {
            name: t('console-orders.code'),
            value: (
              <ObjectLink type="coupon" id={listed.coupon_id}>
                {listed.coupon_code}
              </ObjectLink>
            ),
          },
          {
            name: t('console-orders.credited'),
            value: t(`console-orders.via.${explained.credited_via}`),
          },
          decided !== null && {
            name: t('console-orders.decided'),
            value: decidedWords(decided, explained),
          },
          explained.click_id !== null && {
            name: t('console-orders.via.link'),
            value: t('console-orders.click', { id: String(explained.click_id) }),
          },
        ]}
      />
      <Calculation referral={explained} reader="team" label={t('console-orders.calculation')} />
    </div>
  );
}

/** When the order was decided, and from what. */
function decidedWords(date: string, { decided_from }: CommissionOfReferral): string {
  const { customer = null, payment = null } = decided_from ?? {};
  const from = [
    customer && t(`console-orders.decided.${customer}`),
    payment !== null && t('console-orders.decided.payment', { number: String(payment) }),
  ];
  return [formatDate(date, 'exact'), ...from.filter((one) => one)].join(' · ');
}

function sentenceOf(listed: Referral | undefined, status: StoredOrder['status']): string {
  const earnings = listed && earningsOf(listed, status);
  if (!listed || earnings === 'nothing' || earnings === 'reversed') {
    return t('console-orders.earnsNothing');
  }
  const amount = formatMoney(listed.expected ?? listed.commission);
  if (earnings === 'awaiting') return t('console-orders.earnsAwaiting', { amount });
  if (earnings === 'earned') return t('console-orders.earns', { amount });
  if (earnings === 'in_review') return t('console-orders.earnsInReview', { amount });
  const date = formatDate(listed.hold_until!, 'day');
  return t('console-orders.earnsHeld', { amount, date });
}

const ITEMS_SHOWN = 20;

function OrderFacts({ order }: { order: StoredOrder }) {
  const isForeign = order.order_currency !== order.currency;
  const storeNumber = [order.number, order.external_id].filter((one) => one !== null).join(' · ');
  return (
    <Facts
      facts={[
        ...order.items.slice(0, ITEMS_SHOWN).map(({ product_id, name, quantity, total }) => ({
          name: `${name ?? t('console-orders.product', { id: product_id })} × ${formatNumber(quantity)}`,
          value: <Money amount={total} currency={order.order_currency} />,
        })),
        order.items.length > ITEMS_SHOWN && {
          name: t('console-orders.moreItems', { count: order.items.length - ITEMS_SHOWN }),
          value: '…',
        },
        { name: t('console-orders.paid'), value: <Money amount={order.total} /> },
        order.discount > 0 && {
          name: t('console-orders.discount'),
          value: <Money amount={order.discount} />,
        },
        order.shipping > 0 && {
          name: t('console-orders.shipping'),
          value: <Money amount={order.shipping} />,
        },
        order.refunded > 0 && {
          name: t('console-orders.refunded'),
          value: <Money amount={order.refunded} />,
        },
        order.country !== null && {
          name: t('console-orders.country'),
          value: countryName(currentLanguage(), order.country),
        },
        isForeign && {
          name: t('console-orders.currency'),
          value: t('console-orders.rate', {
            currency: order.order_currency,
            rate: String(order.exchange_rate),
          }),
        },
        storeNumber !== '' && { name: t('console-orders.external'), value: storeNumber },
      ]}
    />
  );
}
