import { useState } from 'preact/hooks';
import type { CustomerOwner as Owner } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { refresh, useData } from '../../data.ts';
import { formatDate, storeToday } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Form } from '../../ui/form.tsx';
import { t } from '../../words.ts';
import { AffiliateField, affiliateWithLogin } from '../affiliates/affiliate-field.tsx';
import { ObjectLink } from '../object-link.tsx';

interface CustomerOwnerProps {
  orderId: number;
  heading: 'h2' | 'h3';
}

/** Whom the customer of an order belongs to, where customers stay with their first affiliate. */
export function CustomerOwner({ orderId, heading: Heading }: CustomerOwnerProps) {
  const { data } = useData('orders', { id: orderId, customer: true }, () =>
    api.orders.customer(orderId),
  );
  const [isOpen, setOpen] = useState(false);
  if (!data?.lifetime || !data.has_customer) return null;
  return (
    <section class="order-panel">
      <Heading class="order-customer">{t('console-orders.customer')}</Heading>
      <OwnerFacts owner={data} />
      {isOpen ? (
        <OwnerForm orderId={orderId} owner={data} onClose={() => setOpen(false)} />
      ) : (
        <div>
          <Button kind="quiet" type="button" onClick={() => setOpen(true)}>
            {t('console-orders.customerChange')}
          </Button>
        </div>
      )}
    </section>
  );
}

function OwnerFacts({ owner }: { owner: Owner }) {
  const { affiliate, since, until } = owner;
  if (owner.coupon_id === null) return <p>{t('console-orders.customerNone')}</p>;
  const isEnded = until !== null && until.slice(0, 10) <= storeToday();
  return (
    <>
      <Facts
        facts={[
          {
            name: t('console-orders.customerOf'),
            value: affiliate ? (
              <ObjectLink type="affiliate" id={affiliate.id}>
                {affiliate.display_name}
              </ObjectLink>
            ) : (
              t('console-orders.unassigned')
            ),
          },
          {
            name: t('console-orders.code'),
            value: (
              <ObjectLink type="coupon" id={owner.coupon_id}>
                {owner.coupon_code}
              </ObjectLink>
            ),
          },
          since !== null && {
            name: t('console-orders.customerSince'),
            value: formatDate(since, 'day'),
          },
          {
            name: t('console-orders.customerUntil'),
            value: until === null ? t('console-orders.customerForever') : formatDate(until, 'day'),
          },
        ]}
      />
      {!owner.follows && (
        <p class="muted">
          {t(isEnded ? 'console-orders.customerEnded' : 'console-orders.customerPaused')}
        </p>
      )}
    </>
  );
}

interface OwnerFormProps {
  orderId: number;
  owner: Owner;
  onClose(): void;
}

function OwnerForm({ orderId, owner, onClose }: OwnerFormProps) {
  return (
    <Form
      action={t('console-orders.customerSave')}
      errorOf={(field) => (field === 'user_id' ? t('console-orders.customerUnknown') : undefined)}
      submit={async (values, options) => {
        const user_id = await affiliateWithLogin(values['user_id'] ?? '');
        if (user_id === null) await api.orders.customer.delete(orderId, options);
        else await api.orders.customer.set(orderId, { user_id }, options);
        await refresh('orders', 'activity');
        onClose();
      }}
      beside={
        <Button kind="quiet" type="button" onClick={onClose}>
          {t('common.cancel')}
        </Button>
      }
    >
      <AffiliateField
        name="user_id"
        label={t('console-orders.affiliate')}
        hint={t('console-orders.customerHint')}
        value={owner.affiliate?.login ?? ''}
      />
    </Form>
  );
}
