import { useState } from 'preact/hooks';
import type { CallOptions, Postback, PostbackPreview } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { refresh } from '../../../web/data.ts';
import { Button } from '../../../web/ui/button.tsx';
import { CopyButton } from '../../../web/ui/copy-button.tsx';
import { Dialog } from '../../../web/ui/dialog.tsx';
import { Field, SelectField } from '../../../web/ui/field.tsx';
import { Form, type FormValues } from '../../../web/ui/form.tsx';
import { Notice } from '../../../web/ui/notice.tsx';
import { t } from '../../../web/words.ts';

const changes = ['created', 'granted', 'changed', 'reversed'] as const;
const kinds = {
  get: { method: 'GET', format: 'macros' },
  post: { method: 'POST', format: 'macros' },
  json: { method: 'POST', format: 'json' },
} as const;

interface DialogProps {
  userId: number;
  /** The postback to change; without it, the dialog adds one. */
  postback?: Postback;
  onClose(): void;
}

/** Shows the exact request for the last order, then saves what was shown, then the secret if a new one has it. */
export function PostbackDialog({ userId, postback, onClose }: DialogProps) {
  const [shown, setShown] = useState<{
    draft: Draft;
    preview: PostbackPreview;
  }>();
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
    <Dialog
      key="form"
      title={t(postback ? 'portal-postbacks.edit' : 'portal-postbacks.add')}
      isWide
      onClose={onClose}
    >
      <Form
        kind={shown ? 'quiet' : 'primary'}
        action={t('portal-postbacks.preview')}
        errorOf={(field) => (field === 'url' ? t('portal-postbacks.urlFault') : undefined)}
        submit={async (values, options) => {
          const draft = draftOf(values);
          const { events: _, ...asked } = draft;
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
          value={postback?.url}
          autocomplete="off"
          required
          maxLength={2048}
        />
        <SelectField
          name="kind"
          required
          label={t('portal-postbacks.kind')}
          value={postback && kindOf(postback)}
          options={[
            { value: 'get', label: t('portal-postbacks.kindGet') },
            { value: 'post', label: t('portal-postbacks.kindPost') },
            { value: 'json', label: t('portal-postbacks.kindJson') },
            // Whether there is a secret cannot be changed.
          ].filter(({ value }) => !postback || (value === 'json') === (postback.format === 'json'))}
        />
        <fieldset class="choice">
          <legend>{t('portal-postbacks.events')}</legend>
          {changes.map((change) => (
            <label key={change}>
              <input
                type="checkbox"
                name={change}
                defaultChecked={!postback || postback.events.includes(change)}
              />
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
              const created = await save(userId, postback, shown.draft, options);
              await refresh('postbacks');
              if (created === null) onClose();
              else setSecret(created);
            }}
          />
        </section>
      )}
    </Dialog>
  );
}

const kindOf = ({ format, method }: Postback): keyof typeof kinds =>
  format === 'json' ? 'json' : method === 'GET' ? 'get' : 'post';

type Draft = ReturnType<typeof draftOf>;

/** Returns the secret that a new postback has. */
async function save(
  userId: number,
  postback: Postback | undefined,
  draft: Draft,
  options: CallOptions,
): Promise<string | null> {
  const { postbacks } = api.affiliates;
  if (!postback) return (await postbacks.create(userId, draft, options)).secret;
  const { format: _, ...changed } = draft;
  await postbacks.update(userId, postback.id, changed, options);
  return null;
}

function draftOf(values: FormValues) {
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
