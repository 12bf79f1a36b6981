import { useState } from 'preact/hooks';
import type { Passkey } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { refresh, useData } from '../../data.ts';
import { formatDate } from '../../format.ts';
import { reloadAccount } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Pending } from '../../ui/error-state.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { ItemList } from '../../ui/item-list.tsx';
import { t } from '../../words.ts';
import { newPasskey } from '../../frame/passkey.ts';

/** The passkeys of the person, and a new one. */
export function PasskeysCard({ onCodes }: { onCodes(codes: readonly string[]): void }) {
  const { data, error, retry } = useData('passkeys', {}, () => api.account.passkeys.list());
  const [renamed, setRenamed] = useState<Passkey>();
  return (
    <Card title={t('portal-profile.security.passkeys')}>
      <p class="muted">{t('portal-profile.security.passkeysText')}</p>
      {!data && <Pending error={error} retry={retry} lines={2} />}
      {data && data.items.length > 0 && (
        <ItemList
          items={data.items.map((passkey) => ({
            key: passkey.id,
            title: passkey.name,
            detail: t('portal-profile.security.passkeyAdded', {
              date: formatDate(passkey.date_created, 'day'),
            }),
            action: (
              <div class="passkey-actions">
                <Button kind="quiet" onClick={() => setRenamed(passkey)}>
                  {t('portal-profile.security.passkeyRename')}
                </Button>
                <Form
                  kind="danger"
                  action={t('portal-profile.security.passkeyRemove')}
                  submit={async (_values, options) => {
                    await api.account.passkeys.delete(passkey.id, options);
                    await Promise.all([reloadAccount(), refresh('passkeys')]);
                  }}
                />
              </div>
            ),
          }))}
        />
      )}
      <Form
        kind="quiet"
        action={t('portal-profile.security.passkeyAdd')}
        clears
        submit={async ({ name = '' }, options) => {
          // The options hold a challenge for one attempt, so each attempt is a request of its own.
          const response = await newPasskey(await api.account.passkeys.options());
          const { recovery_codes: codes } = await api.account.passkeys.create(
            // What the browser answers is what the contract describes.
            {
              name,
              response: response as Parameters<typeof api.account.passkeys.create>[0]['response'],
            },
            { ...options, idempotencyKey: undefined },
          );
          if (codes) onCodes(codes);
          await Promise.all([reloadAccount(), refresh('passkeys')]);
        }}
      >
        <Field
          name="name"
          label={t('portal-profile.security.passkeyName')}
          hint={t('portal-profile.security.passkeyNameHint')}
          autocomplete="off"
          required
          maxLength={60}
        />
      </Form>
      {renamed && <RenameDialog passkey={renamed} onClose={() => setRenamed(undefined)} />}
    </Card>
  );
}

function RenameDialog({ passkey, onClose }: { passkey: Passkey; onClose(): void }) {
  return (
    <Dialog title={t('portal-profile.security.passkeyRename')} onClose={onClose}>
      <Form
        action={t('portal-profile.security.passkeySave')}
        submit={async ({ new_name: name = '' }, options) => {
          await api.account.passkeys.update(passkey.id, { name }, options);
          await refresh('passkeys');
          onClose();
        }}
      >
        <Field
          name="new_name"
          label={t('portal-profile.security.passkeyNewName')}
          value={passkey.name}
          autocomplete="off"
          required
          maxLength={60}
        />
      </Form>
    </Dialog>
  );
}
