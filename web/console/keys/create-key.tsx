import { useState } from 'preact/hooks';
import { api } from '../../api.ts';
import { refresh } from '../../data.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SwitchField } from '../../ui/switch-field.tsx';
import { t } from '../../words.ts';
import './created-key.css';

const scopes = ['read', 'write', 'manage'] as const;

interface CreateKeyProps {
  onClose: () => void;
  onCreated(token: string): void;
}

export function CreateKey({ onClose, onCreated }: CreateKeyProps) {
  const [isMissing, setMissing] = useState(false);
  return (
    <Dialog title={t('console-keys.createTitle')} onClose={onClose}>
      <p>{t('console-keys.createText')}</p>
      <Form
        action={t('console-keys.submit')}
        submit={async ({ description = '', expires, ...values }, options) => {
          const chosen = scopes.filter((scope) => values[scope] !== undefined);
          setMissing(chosen.length === 0);
          if (chosen.length === 0) return;
          const until = expires ? { expires } : {};
          const { token } = await api.keys.create(
            { description, scopes: chosen, ...until },
            options,
          );
          onCreated(token);
          await refresh('keys');
        }}
      >
        <Field
          name="description"
          label={t('console-keys.description')}
          hint={t('console-keys.descriptionHint')}
          autocomplete="off"
          required
          maxLength={200}
        />
        <fieldset class="field key-scopes">
          <legend>{t('console-keys.scopes')}</legend>
          {scopes.map((scope) => (
            <SwitchField
              key={scope}
              name={scope}
              label={t(`console-keys.scope.${scope}`)}
              isOn={scope === 'read'}
            />
          ))}
          <p class="field-hint">{t('console-keys.scopeHint')}</p>
          {isMissing && <p class="field-fault">{t('console-keys.scopeMissing')}</p>}
        </fieldset>
        <Field
          name="expires"
          type="date"
          label={t('console-keys.expires')}
          hint={t('console-keys.expiresHint')}
        />
      </Form>
    </Dialog>
  );
}

interface CreatedKeyProps {
  token: string;
  onClose: () => void;
}

/** The only time that a key is shown, with a command that works as it is. */
export function CreatedKey({ token, onClose }: CreatedKeyProps) {
  const { publicUrl = location.origin } = document.getElementById('app')!.dataset;
  const curl = `curl -H "Authorization: Bearer ${token}" ${publicUrl}/svc/v2/me`;
  return (
    <Dialog title={t('console-keys.createdTitle')}>
      <Notice kind="warn">{t('console-keys.once')}</Notice>
      <h3>{t('console-keys.token')}</h3>
      <div class="secret-line">
        <code data-secret="key">{token}</code>
        <CopyButton text={token} label={t('console-keys.copyToken')} />
      </div>
      <h3>{t('console-keys.try')}</h3>
      <div class="secret-line">
        <code data-secret="curl">{curl}</code>
        <CopyButton text={curl} label={t('console-keys.copyCurl')} />
      </div>
      <div>
        <Button onClick={onClose}>{t('console-keys.done')}</Button>
      </div>
    </Dialog>
  );
}
