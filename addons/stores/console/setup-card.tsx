import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import type { StoreConnection } from '../../../sdk/src/index.ts';
import type { Address } from '../../../web/frame/address.ts';
import { formatMoney, formatRate } from '../../../web/format.ts';
import { useSession } from '../../../web/session.ts';
import { CopyButton } from '../../../web/ui/copy-button.tsx';
import { Facts } from '../../../web/ui/facts.tsx';
import { FoldCard } from '../../../web/ui/fold-card.tsx';
import { Moment } from '../../../web/ui/moment.tsx';
import { Notice } from '../../../web/ui/notice.tsx';
import { t } from '../../../web/words.ts';
import { isSetUp, useKinds } from './connection-state.tsx';

interface SetupCardProps {
  connection: StoreConnection;
  address: Address;
  canChange: boolean;
}

/** How the store is connected, and what of it can be changed. Folded once orders come in. */
export function SetupCard({ connection, address, canChange }: SetupCardProps) {
  const { url, receiver_url, has_credentials: hasAccess, coupon_errors: errors } = connection;
  const kind = useKinds().data?.find((one) => one.kind === connection.kind);
  const link = (open: string, label: string, danger = false) => (
    <Link class="button" data-kind={danger ? 'danger' : 'quiet'} href={address.hrefOf({ open })}>
      {label}
    </Link>
  );
  return (
    <FoldCard title={t('console-stores.setup')} isOpen={!isSetUp(connection)}>
      {errors.length > 0 && (
        <Notice kind="warn">
          {t('console-stores.couponErrors')}
          <ul class="store-faults">
            {errors.map(({ code, error }) => (
              <li key={code}>
                <strong>{code}</strong>: {error}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <Facts
        facts={[
          { name: t('console-stores.kind'), value: kind?.label ?? connection.kind },
          url !== '' && { name: t('console-stores.url'), value: url },
          {
            name: t('console-stores.access'),
            value: hasAccess ? t('console-stores.accessKeys') : t('console-stores.accessNone'),
          },
          {
            name: t('console-stores.receiver'),
            value: <Receiver url={receiver_url} />,
          },
          hasAccess && { name: t('console-stores.discount'), value: discountOf(connection) },
          { name: t('console-stores.rates'), value: <Rates connection={connection} /> },
          { name: t('console-stores.since'), value: <Moment date={connection.date_created} /> },
        ]}
      />
      {canChange && (
        <div class="store-actions">
          {kind && kind.credentials.length > 0 && link('keys', t('console-stores.keys'))}
          {link('secret', t('console-stores.newSecret'))}
          {hasAccess && link('discount', t('console-stores.discountChange'))}
          {link('rates', t('console-stores.ratesChange'))}
          {link('rename', t('console-stores.rename'))}
          {link('remove', t('console-stores.remove'), true)}
        </div>
      )}
    </FoldCard>
  );
}

function Receiver({ url }: { url: string }): ComponentChildren {
  return (
    <span class="store-receiver">
      {url} <CopyButton text={url} label={t('console-stores.receiverCopy')} />
    </span>
  );
}

function discountOf({ coupon_discount: discount }: StoreConnection): string {
  if (!discount) return t('console-stores.discountNone');
  return discount.type === 'percent'
    ? t('console-stores.discountOf', { discount: formatRate(discount.amount) })
    : t('console-stores.discountOf', { discount: formatMoney(discount.amount) });
}

function Rates({ connection }: { connection: StoreConnection }) {
  const { currency } = useSession().program;
  const rates = Object.entries(connection.exchange_rates);
  if (rates.length === 0) return t('console-stores.ratesNone');
  return rates.map(([code, rate]) => `1 ${code} = ${rate} ${currency}`).join(', ');
}
