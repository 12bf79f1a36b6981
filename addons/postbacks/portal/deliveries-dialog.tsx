import type { Postback, PostbackDelivery } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { refresh, useData } from '../../../web/data.ts';
import { formatDate } from '../../../web/format.ts';
import { Dialog } from '../../../web/ui/dialog.tsx';
import { Pending } from '../../../web/ui/error-state.tsx';
import { Field } from '../../../web/ui/field.tsx';
import { Form } from '../../../web/ui/form.tsx';
import { ItemList } from '../../../web/ui/item-list.tsx';
import { Pill, type PillKind } from '../../../web/ui/pill.tsx';
import { said } from '../../../web/said.ts';
import { t } from '../../../web/words.ts';

const SHOWN = 50;
const kinds: Record<PostbackDelivery['state'], PillKind> = {
  pending: 'plain',
  delivered: 'good',
  failed: 'bad',
};

interface DialogProps {
  userId: number;
  postback: Postback;
  mayChange: boolean;
  onClose(): void;
}

/** What was sent last, and sending it again from a day. */
export function DeliveriesDialog({ userId, postback, mayChange, onClose }: DialogProps) {
  const { id, active } = postback;
  const { data, error, retry } = useData('postbacks', { id: userId, deliveries: id }, () =>
    api.affiliates.postbacks.deliveries.list(userId, id, { per_page: SHOWN }),
  );
  return (
    <Dialog title={t('portal-postbacks.deliveries')} isWide onClose={onClose}>
      {!data && <Pending error={error} retry={retry} lines={4} />}
      {data?.items.length === 0 && <p class="muted">{t('portal-postbacks.nothingSent')}</p>}
      {data && data.items.length > 0 && (
        <ItemList
          items={data.items.map((one) => ({
            key: one.id,
            title: t('portal-postbacks.delivery', {
              order: String(one.order_id),
              event: t(`portal-postbacks.event.${one.event}`),
            }),
            detail: [
              formatDate(one.date, 'exact'),
              one.code === null ? '' : t('portal-postbacks.answer', { code: String(one.code) }),
              one.code === null ? said(one.error) : '',
            ]
              .filter((text) => text !== '')
              .join(' · '),
            action: <Pill kind={kinds[one.state]}>{t(`portal-postbacks.sent.${one.state}`)}</Pill>,
          }))}
        />
      )}
      {mayChange && active && (
        <Form
          kind="quiet"
          action={t('portal-postbacks.replay')}
          done={t('portal-postbacks.replayed')}
          submit={async ({ from = '' }, options) => {
            await api.affiliates.postbacks.replay(userId, id, { from }, options);
            await refresh('postbacks');
          }}
        >
          <Field
            name="from"
            type="date"
            label={t('portal-postbacks.replayFrom')}
            hint={t('portal-postbacks.replayHint')}
            required
          />
        </Form>
      )}
    </Dialog>
  );
}
