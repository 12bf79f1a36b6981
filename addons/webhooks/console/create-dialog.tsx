import { useState } from 'preact/hooks';
import type { NewWebhook } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { refresh } from '../../../web/data.ts';
import { Button } from '../../../web/ui/button.tsx';
import { CopyButton } from '../../../web/ui/copy-button.tsx';
import { Dialog } from '../../../web/ui/dialog.tsx';
import { Field } from '../../../web/ui/field.tsx';
import { Form } from '../../../web/ui/form.tsx';
import { Notice } from '../../../web/ui/notice.tsx';
import { t } from '../../../web/words.ts';
import { EventPicker, eventsIn } from './event-picker.tsx';

interface CreateDialogProps {
  onClose(): void;
  /** After the secret was shown. */
  onDone(id: number): void;
}

/** Creates a webhook, then shows its secret, which cannot be read again. */
export function CreateDialog({ onClose, onDone }: CreateDialogProps) {
  const [created, setCreated] = useState<NewWebhook>();
  if (created) {
    return (
      <Dialog key="secret" title={t('console-webhooks.secretTitle')}>
        <Notice kind="warn">{t('console-webhooks.secretOnce')}</Notice>
        <p class="webhook-secret">
          <code>{created.secret}</code>
        </p>
        <div class="form-actions">
          <CopyButton text={created.secret} label={t('console-webhooks.secretCopy')} />
          <Button onClick={() => onDone(created.id)}>{t('console-webhooks.secretDone')}</Button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog key="form" title={t('console-webhooks.create')} onClose={onClose}>
      <Form
        action={t('console-webhooks.createNow')}
        errorOf={(field) => (field === 'url' ? t('console-webhooks.urlFault') : undefined)}
        submit={async (values, options) => {
          const { name = '', url = '' } = values;
          setCreated(await api.webhooks.create({ name, url, events: eventsIn(values) }, options));
          await refresh('webhooks');
        }}
      >
        <Field
          name="name"
          label={t('console-webhooks.name')}
          hint={t('console-webhooks.nameHint')}
          autocomplete="off"
          maxLength={100}
        />
        <Field
          name="url"
          type="url"
          label={t('console-webhooks.url')}
          hint={t('console-webhooks.urlHint')}
          autocomplete="off"
          required
          maxLength={2048}
        />
        <EventPicker chosen={['*']} />
      </Form>
    </Dialog>
  );
}
