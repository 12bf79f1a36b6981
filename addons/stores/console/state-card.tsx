import type { StoreConnection } from '../../../sdk/src/index.ts';
import { formatDate } from '../../../web/format.ts';
import type { Address } from '../../../web/frame/address.ts';
import { Card } from '../../../web/ui/card.tsx';
import { Facts } from '../../../web/ui/facts.tsx';
import { LinkedText } from '../../../web/ui/linked-text.tsx';
import { Moment } from '../../../web/ui/moment.tsx';
import { Notice } from '../../../web/ui/notice.tsx';
import { said } from '../../../web/said.ts';
import { formatNumber, hasWord, t } from '../../../web/words.ts';
import { ConnectionActions } from './connection-actions.tsx';
import { ConnectionPill, isCatchingUp, lagOf, webhooksOf } from './connection-state.tsx';

interface StateCardProps {
  connection: StoreConnection;
  address: Address;
  canChange: boolean;
}

/** Whether the orders of the store come in, in words, and what can be done about it. */
export function StateCard({ connection, address, canChange }: StateCardProps) {
  const {
    state,
    reason,
    limits,
    not_shown,
    rejected,
    rejected_reason,
    import: running,
  } = connection;
  const isBroken = state === 'degraded' || state === 'failed';
  // What a kind of shop needs, so that its webhooks come in time.
  const hint = `console-stores.webhooks.${connection.kind}`;
  return (
    <Card title={t('console-stores.stateTitle')} aside={<ConnectionPill connection={connection} />}>
      {reason !== '' && <Notice kind={isBroken ? 'warn' : 'info'}>{said(reason)}</Notice>}
      {not_shown !== '' && <Notice kind="info">{not_shown}</Notice>}
      {limits.map((limit) => (
        <Notice key={limit} kind="info">
          {limit}
        </Notice>
      ))}
      {isCatchingUp(connection) && <Notice kind="info">{t('console-stores.catchingUp')}</Notice>}
      <Facts
        facts={[
          {
            name: t('console-stores.lastOrder'),
            value: dateOf(connection.last_order_at),
          },
          {
            name: t('console-stores.lastDelivery'),
            value: dateOf(connection.last_delivery_at),
          },
          connection.has_credentials && {
            name: t('console-stores.lag'),
            value: lagOf(connection),
          },
          connection.has_credentials && {
            name: t('console-stores.webhooks'),
            value: webhooksOf(connection),
          },
          connection.has_credentials && {
            name: t('console-stores.missed'),
            value: formatNumber(connection.missed_found),
          },
          {
            name: t('console-stores.rejected'),
            value: (
              <>
                {formatNumber(rejected)}
                {rejected > 0 && <span class="store-why">{said(rejected_reason)}</span>}
              </>
            ),
          },
        ]}
      />
      {hasWord(hint) && (
        <p class="muted">
          <LinkedText text={t(hint)} />
        </p>
      )}
      {running && <ImportProgress progress={running} />}
      {canChange && <ConnectionActions connection={connection} address={address} />}
    </Card>
  );
}

function dateOf(date: string | null) {
  return date === null ? t('console-stores.never') : formatDate(date, 'time');
}

type Progress = NonNullable<StoreConnection['import']>;

function ImportProgress({ progress }: { progress: Progress }) {
  const { state, read, changed, total, date_finished: finished } = progress;
  if (state === 'done') {
    return (
      <p class="muted">
        {t('console-stores.importDone', { count: read, changed })}{' '}
        {finished !== null && <Moment date={finished} />}
      </p>
    );
  }
  return (
    <div class="store-import">
      <label for="store-import">
        {total === null
          ? t('console-stores.importRead', { count: read })
          : t('console-stores.importOf', { read, total })}
      </label>
      <progress id="store-import" value={total === null ? undefined : read} max={total ?? 1} />
    </div>
  );
}
