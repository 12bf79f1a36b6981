import { useLocation } from 'wouter-preact';
import type { Postback } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { refresh, useData } from '../../../web/data.ts';
import { formatDate } from '../../../web/format.ts';
import { useAddress } from '../../../web/frame/address.ts';
import { Screen } from '../../../web/frame/screen.tsx';
import { isSuspended, useSession } from '../../../web/session.ts';
import { Button } from '../../../web/ui/button.tsx';
import { Card } from '../../../web/ui/card.tsx';
import { Pending } from '../../../web/ui/error-state.tsx';
import { Facts } from '../../../web/ui/facts.tsx';
import { Form } from '../../../web/ui/form.tsx';
import { Pill } from '../../../web/ui/pill.tsx';
import { said } from '../../../web/said.ts';
import { t } from '../../../web/words.ts';
import { DeliveriesDialog } from './deliveries-dialog.tsx';
import { PostbackDialog } from './postback-dialog.tsx';
import './postbacks.css';

/** Addresses that are called when an order changes. What is open is in the address. */
export function PostbacksScreen() {
  const { me, isView } = useSession();
  const { id } = me.user;
  const [, navigate] = useLocation();
  const address = useAddress('/app/postbacks');
  const { data, error, retry } = useData(
    'postbacks',
    { id },
    async () => (await api.affiliates.postbacks.list(id)).items,
  );
  const mayChange = !isView && !isSuspended.value;
  const close = () =>
    navigate(address.hrefOf({ open: undefined, edit: undefined }), { replace: true });
  const open = address.get('open');
  const find = (wanted: string) => data?.find((one) => String(one.id) === wanted);
  const opened = find(open);
  const edited = find(address.get('edit'));
  return (
    <Screen title={t('portal.nav.postbacks')}>
      <Card>
        <p>{t('portal-postbacks.text')}</p>
        {!data && <Pending error={error} retry={retry} lines={3} />}
        {data?.length === 0 && <p class="muted">{t('portal-postbacks.none')}</p>}
        {data && mayChange && (
          <div class="postback-actions">
            <Button onClick={() => navigate(address.hrefOf({ open: 'new' }))}>
              {t('portal-postbacks.add')}
            </Button>
          </div>
        )}
      </Card>
      {data?.map((one) => (
        <PostbackCard
          key={one.id}
          userId={id}
          postback={one}
          mayChange={mayChange}
          onOpen={() => navigate(address.hrefOf({ open: String(one.id) }))}
          onEdit={() => navigate(address.hrefOf({ edit: String(one.id) }))}
        />
      ))}
      {open === 'new' && mayChange && <PostbackDialog userId={id} onClose={close} />}
      {edited && mayChange && <PostbackDialog userId={id} postback={edited} onClose={close} />}
      {opened && (
        <DeliveriesDialog userId={id} postback={opened} mayChange={mayChange} onClose={close} />
      )}
    </Screen>
  );
}

interface CardProps {
  userId: number;
  postback: Postback;
  mayChange: boolean;
  onOpen(): void;
  onEdit(): void;
}

function PostbackCard({ userId, postback, mayChange, onOpen, onEdit }: CardProps) {
  const { id, url, method, format, events, active, failing_since, last_sent, last_error } =
    postback;
  return (
    <Card title={new URL(url).host}>
      <p class="postback-url">
        <code>
          {format === 'json' ? 'JSON' : method} {url}
        </code>
      </p>
      <Facts
        facts={[
          { name: t('portal-postbacks.state'), value: <State postback={postback} /> },
          {
            name: t('portal-postbacks.events'),
            value: events.map((event) => t(`portal-postbacks.event.${event}`)).join(', '),
          },
          last_sent !== null && {
            name: t('portal-postbacks.lastSent'),
            value: formatDate(last_sent, 'exact'),
          },
          failing_since !== null && {
            name: t('portal-postbacks.lastError'),
            value: said(last_error),
          },
        ]}
      />
      <div class="postback-actions">
        <Button kind="quiet" onClick={onOpen}>
          {t('portal-postbacks.deliveries')}
        </Button>
        {mayChange && (
          <>
            <Button kind="quiet" onClick={onEdit}>
              {t('portal-postbacks.change')}
            </Button>
            <Form
              kind="quiet"
              action={t(active ? 'portal-postbacks.off' : 'portal-postbacks.on')}
              submit={async (_values, options) => {
                await api.affiliates.postbacks.update(userId, id, { active: !active }, options);
                await refresh('postbacks');
              }}
            />
            <Form
              kind="danger"
              action={t('portal-postbacks.delete')}
              submit={async (_values, options) => {
                await api.affiliates.postbacks.delete(userId, id, options);
                await refresh('postbacks');
              }}
            />
          </>
        )}
      </div>
    </Card>
  );
}

function State({ postback: { active, failing_since, replaying } }: { postback: Postback }) {
  if (!active) {
    const isFailed = failing_since !== null;
    return (
      <Pill kind={isFailed ? 'bad' : 'plain'}>
        {t(isFailed ? 'portal-postbacks.stateFailed' : 'portal-postbacks.stateOff')}
      </Pill>
    );
  }
  if (failing_since !== null) return <Pill kind="warn">{t('portal-postbacks.stateFailing')}</Pill>;
  return (
    <Pill kind="good">
      {t(replaying ? 'portal-postbacks.stateReplaying' : 'portal-postbacks.stateOn')}
    </Pill>
  );
}
