import { useLocation } from 'wouter-preact';
import type { WebhookHealth } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { refresh } from '../../../web/data.ts';
import { Dialog } from '../../../web/ui/dialog.tsx';
import { Field } from '../../../web/ui/field.tsx';
import { Form } from '../../../web/ui/form.tsx';
import { t } from '../../../web/words.ts';
import { EventPicker, eventsIn } from './event-picker.tsx';

interface DialogProps {
  webhook: WebhookHealth;
  onClose(): void;
}

/** Sends events again from a position in the feed. */
export function ReplayDialog({ webhook: { id }, onClose }: DialogProps) {
  return (
    <Dialog title={t('console-webhooks.replayTitle')} onClose={onClose}>
      <p class="muted">{t('console-webhooks.replayText')}</p>
      <Form
        action={t('console-webhooks.replayStart')}
        submit={async ({ after = '' }, options) => {
          await api.webhooks.replay(id, { after: Number(after) }, options);
          onClose();
          await refresh(['webhook', { id }]);
        }}
      >
        <Field
          name="after"
          type="number"
          min={0}
          step={1}
          inputMode="numeric"
          autocomplete="off"
          required
          label={t('console-webhooks.replayAfter')}
          hint={t('console-webhooks.replayAfterHint')}
        />
      </Form>
    </Dialog>
  );
}

export function EventsDialog({ webhook: { id, events }, onClose }: DialogProps) {
  return (
    <Dialog title={t('console-webhooks.changeEvents')} onClose={onClose}>
      <Form
        action={t('console-webhooks.save')}
        submit={async (values, options) => {
          await api.webhooks.update(id, { events: eventsIn(values) }, options);
          onClose();
          await refresh(['webhook', { id }], 'webhooks');
        }}
      >
        <EventPicker chosen={events} />
      </Form>
    </Dialog>
  );
}

export function DeleteDialog({ webhook: { id }, onClose }: DialogProps) {
  const [, navigate] = useLocation();
  return (
    <Dialog title={t('console-webhooks.deleteTitle')} onClose={onClose}>
      <p>{t('console-webhooks.deleteText')}</p>
      <Form
        kind="danger"
        action={t('console-webhooks.deleteConfirm')}
        submit={async (_values, options) => {
          await api.webhooks.delete(id, options);
          navigate('/console/webhooks', { replace: true });
          await refresh('webhooks');
        }}
      />
    </Dialog>
  );
}
