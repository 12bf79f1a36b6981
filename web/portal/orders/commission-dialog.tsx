import { useLocation } from 'wouter-preact';
import type { AffiliateOrder } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { formatDate } from '../../format.ts';
import { useSession } from '../../session.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Calculation } from '../../ui/calculation.tsx';
import { EarningsPill } from '../../ui/earnings-pill.tsx';
import { Pending } from '../../ui/error-state.tsx';
import { Money } from '../../ui/money.tsx';
import { t } from '../../words.ts';
import { subNames } from '../links/make-link.ts';
import './commission-dialog.css';

interface CommissionDialogProps {
  orderId: number;
  /** As the list shows it; undefined if the address was opened directly and it is on another page. */
  order: AffiliateOrder | undefined;
  closeHref: string;
}

/** Why an order earns what it earns: the result, the reason, and the calculation step by step. */
export function CommissionDialog({ orderId, order: listed, closeHref }: CommissionDialogProps) {
  const [, navigate] = useLocation();
  const { me } = useSession();
  const { data, error, retry } = useData('commission', { id: orderId }, async () => {
    const commission = await api.orders.commission(orderId);
    const search = String(orderId);
    const found = await api.affiliates.orders.list(me.user.id, { search, per_page: 5 });
    return { commission, order: found.items.find(({ order_id }) => order_id === orderId) };
  });
  const order = data?.order ?? listed;
  return (
    <Dialog
      title={t('portal-orders.number', { number: String(orderId) })}
      onClose={() => navigate(closeHref)}
    >
      {order && (
        <div class="commission-head">
          <p class="commission-amount">
            <Money amount={order.expected ?? order.commission} />
          </p>
          <EarningsPill state={order.state} />
          <p class="muted">{formatDate(order.date, 'exact')}</p>
        </div>
      )}
      {order && <p>{sentenceOfState(order)}</p>}
      {order && <Subs order={order} />}
      {data ? (
        data.commission.referrals.map((referral) => (
          <section key={referral.coupon_id} class="commission-steps">
            <h3>{t('portal-orders.calculation')}</h3>
            <p class="muted">{t(`portal-orders.via.${referral.credited_via}`)}</p>
            <Calculation referral={referral} reader="affiliate" />
          </section>
        ))
      ) : (
        <Pending error={error} retry={retry} lines={4} height="1.75rem" />
      )}
    </Dialog>
  );
}

function Subs({ order }: { order: AffiliateOrder }) {
  const given = subNames.filter((name) => order[name] !== '');
  if (given.length === 0) return null;
  return (
    <dl class="commission-subs">
      {given.map((name) => (
        <div key={name}>
          <dt class="muted">{t('portal.links.sub', { number: Number(name.slice(-1)) })}</dt>
          <dd>{order[name]}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What the state means, and what happens next. */
function sentenceOfState(order: AffiliateOrder): string {
  const reason = reasonIn(order);
  if (reason !== undefined) return reason;
  if (order.state === 'on_hold' && order.hold_until !== null) {
    return t('portal-orders.why.onHoldUntil', { date: formatDate(order.hold_until, 'day') });
  }
  return t(`portal-orders.why.${order.state}`);
}

/** Why the order earns nothing; undefined if it earns. */
function reasonIn({ reason, status }: AffiliateOrder): string | undefined {
  if (reason === null) return undefined;
  if (reason === 'order_status') return t(`calculation.reason.status.${status}`);
  return t(`calculation.reason.${reason}`);
}
