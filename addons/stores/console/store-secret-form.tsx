import { api } from '../../../web/api.ts';
import { refresh } from '../../../web/data.ts';
import { Field } from '../../../web/ui/field.tsx';
import { Form } from '../../../web/ui/form.tsx';
import { t } from '../../../web/words.ts';

/** Takes the secret that the store has made for its webhooks. */
export function StoreSecretForm({ id }: { id: number }) {
  return (
    <Form
      kind="quiet"
      action={t('console-stores.secretSave')}
      done={t('console-stores.secretSaved')}
      clears
      submit={async ({ webhook_secret = '' }, options) => {
        await api.connections.update(id, { webhook_secret: webhook_secret.trim() }, options);
        await refresh(['store', { id }], 'stores');
      }}
    >
      <Field
        name="webhook_secret"
        label={t('console-stores.storeSecret')}
        hint={t('console-stores.storeSecretHint')}
        autocomplete="off"
        spellcheck={false}
        required
        minLength={8}
        maxLength={500}
      />
    </Form>
  );
}
