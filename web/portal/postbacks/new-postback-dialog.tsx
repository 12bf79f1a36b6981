import { useState } from 'preact/hooks';
import type { CreatePostback, PostbackPreview } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { refresh } from '../../data.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, SelectField } from '../../ui/field.tsx';
import { Form, type FormValues } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { t } from '../../words.ts';

const changes = ['created', 'granted', 'changed', 'reversed'] as const;
const kinds = {
  get: { method: 'GET', format: 'macros' },
  post: { method: 'POST', format: 'macros' },
  json: { method: 'POST', format: 'json' },
} as const;

/** Shows the exact request for the last order, then saves what was shown, then the secret if it has one. */
export function NewPostbackDialog({ userId, onClose }: { userId: number; onClose(): void }) {
  const [shown, setShown] = useState<{ draft: CreatePostback; preview: PostbackPreview }>();
  const [secret, setSecret] = useState<string>();
  if (secret !== undefined) {
    return (
      <Dialog key="secret" title={t('portal-postbacks.secret')}>
        <Notice kind="warn">{t('portal-postbacks.secretOnce')}</Notice>
        <p class="postback-url">
          <code>{secret}</code>
        </p>
        <CopyButton text={secret} label={t('portal-postbacks.secretCopy')} />
        <Button onClick={onClose}>{t('portal-postbacks.secretDone')}</Button>
      </Dialog>
    );
  }
  return (
    <Dialog key="form" title={t('portal-postbacks.add')} isWide onClose={onClose}>
      <Form
        kind={shown ? 'quiet' : 'primary'}
        action={t('portal-postbacks.preview')}
        errorOf={(field) => (field === 'url' ? t('portal-postbacks.urlFault') : undefined)}
        submit={async (values, options) => {
          const draft = draftOf(values);
          const { url, method = 'GET', format = 'macros' } = draft;
          const asked = { url, method, format };
          const preview = await api.affiliates.postbacks.previewNew(userId, asked, options);
          setShown({ draft, preview });
        }}
      >
        <Field
          name="url"
          label={t('portal-postbacks.url')}
          hint={t('portal-postbacks.urlHint', {
            macros:
              '{status} {id} {order} {amount} {commission} {currency} {code} {click} {sub1} … {sub5} {time}',
          })}
          autocomplete="off"
          required
          maxLength={2048}
        />
        <SelectField
          name="kind"
          required
          label={t('portal-postbacks.kind')}
          options={[
            { value: 'get', label: t('portal-postbacks.kindGet') },
            { value: 'post', label: t('portal-postbacks.kindPost') },
            { value: 'json', label: t('portal-postbacks.kindJson') },
          ]}
        />
        <fieldset class="choice">
          <legend>{t('portal-postbacks.events')}</legend>
          {changes.map((change) => (
            <label key={change}>
              <input type="checkbox" name={change} defaultChecked />
              <span>
                {t(`portal-postbacks.event.${change}`)}
                <span class="field-hint">{t(`portal-postbacks.eventHint.${change}`)}</span>
              </span>
            </label>
          ))}
        </fieldset>
      </Form>
      {shown && (
        <section aria-label={t('portal-postbacks.request')}>
          <h3>{t('portal-postbacks.request')}</h3>
          {shown.preview.order_id === null && <p class="muted">{t('portal-postbacks.example')}</p>}
          <pre class="postback-preview" tabIndex={0}>
            {textOf(shown.preview)}
          </pre>
          <Form
            action={t('portal-postbacks.save')}
            submit={async (_values, options) => {
              const created = await api.affiliates.postbacks.create(userId, shown.draft, options);
              await refresh('postbacks');
              if (created.secret === null) onClose();
              else setSecret(created.secret);
            }}
          />
        </section>
      )}
    </Dialog>
  );
}

function draftOf(values: FormValues): CreatePostback {
  // The values of the select are the names of the kinds.
  const kind = kinds[values['kind'] as keyof typeof kinds];
  return {
    url: values['url'] ?? '',
    ...kind,
    events: changes.filter((change) => values[change] !== undefined),
  };
}

function textOf({ method, url, headers, body }: PostbackPreview): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${url}`, ...lines, ...(body === null ? [] : ['', body])].join('\n');
}
