import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { StoreConnection } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { refresh } from '../../../web/data.ts';
import { Button } from '../../../web/ui/button.tsx';
import { Dialog } from '../../../web/ui/dialog.tsx';
import { Field } from '../../../web/ui/field.tsx';
import { Form } from '../../../web/ui/form.tsx';
import { Notice } from '../../../web/ui/notice.tsx';
import { hasWord, t } from '../../../web/words.ts';
import { CredentialFields, credentialsIn } from './credential-fields.tsx';
import { useKinds } from './connection-state.tsx';
import { StepList } from './step-list.tsx';
import { StoreForm } from './store-form.tsx';
import { HowTo, keyWaysOf, nameOf, WayChoice, type Way } from './ways.tsx';

interface DialogProps {
  connection: StoreConnection;
  onClose(): void;
}

/** Reads the orders from before the connection. The progress is on the screen. */
export function ImportDialog({ connection: { id }, onClose }: DialogProps) {
  return (
    <Dialog title={t('console-stores.import')} onClose={onClose}>
      <p class="muted">{t('console-stores.importText')}</p>
      <Form
        action={t('console-stores.importStart')}
        showsReasons
        submit={async ({ since = '' }, options) => {
          await api.connections.import(id, since === '' ? {} : { since }, options);
          onClose();
          await refresh(['store', { id }]);
        }}
      >
        <Field
          name="since"
          type="date"
          label={t('console-stores.importSince')}
          hint={t('console-stores.importSinceHint')}
        />
      </Form>
    </Dialog>
  );
}

/** Other keys, which are checked before they replace those that work. */
export function KeysDialog({ connection, onClose }: DialogProps) {
  const { id, kind, has_credentials: hasAccess } = connection;
  const [tried, setTried] = useState<{ steps: string[]; warnings: string[] }>();
  const known = useKinds().data?.find((one) => one.kind === kind);
  const [chosen, setWay] = useState<Way>();
  const ways = known ? keyWaysOf(known) : [];
  const way = chosen ?? ways[0];
  if (tried) {
    return (
      <Dialog key="done" title={t('console-stores.keys')} onClose={onClose}>
        <StepList {...tried} />
        <div class="dialog-actions">
          <Button onClick={onClose}>{t('console-stores.done')}</Button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog key="form" title={t('console-stores.keys')} onClose={onClose}>
      {known && way && (
        <>
          <WayChoice kind={known} ways={ways} current={way} onChoose={setWay} />
          <HowTo kind={known} way={way} />
          <p class="muted">
            {hasAccess ? t('console-stores.keysReplace') : t('console-stores.keysAdd')}
          </p>
          <StoreForm
            action={t('console-stores.keysTry')}
            call={(values, options) =>
              api.connections.update(id, { credentials: credentialsIn(known, values) }, options)
            }
            onAnswer={async ({ steps, warnings }) => {
              setTried({ steps: [...steps, t('console-stores.keysSaved')], warnings });
              await refresh(['store', { id }], 'stores', 'overview');
            }}
          >
            <CredentialFields key={nameOf(way)} kind={known} names={way.names} />
          </StoreForm>
        </>
      )}
    </Dialog>
  );
}

/** The name, and the address of a shop that has moved. */
export function RenameDialog({ connection: { id, kind, name, url }, onClose }: DialogProps) {
  const hasUrl = useKinds().data?.find((one) => one.kind === kind)?.needs_url === true;
  return (
    <Dialog title={t('console-stores.rename')} onClose={onClose}>
      <StoreForm
        action={t('console-stores.save')}
        call={({ name: typed = '', url: moved = url }, options) =>
          api.connections.update(id, { name: typed, ...(moved !== url && { url: moved }) }, options)
        }
        onAnswer={async () => {
          onClose();
          await refresh(['store', { id }], 'stores');
        }}
      >
        <Field
          name="name"
          label={t('console-stores.name')}
          hint={t('console-stores.nameHint')}
          defaultValue={name}
          autocomplete="off"
          required
          maxLength={100}
        />
        {hasUrl && (
          <Field
            name="url"
            label={t('console-stores.url')}
            hint={t('console-stores.urlChange')}
            defaultValue={url}
            inputMode="url"
            autocomplete="off"
            autocapitalize="off"
            required
            maxLength={2048}
          />
        )}
      </StoreForm>
    </Dialog>
  );
}

/** Removes the connection. Its orders stay, and so does the key in the shop. */
export function RemoveDialog({ connection, onClose }: DialogProps) {
  const { id, kind, name, has_credentials: hasAccess } = connection;
  const keyStays = `console-stores.keyStays.${kind}`;
  const [, navigate] = useLocation();
  const [note, setNote] = useState<string>();
  const leave = () => navigate('/console/stores', { replace: true });
  if (note !== undefined) {
    return (
      <Dialog key="left" title={t('console-stores.removed')}>
        <Notice kind="warn">{note}</Notice>
        <div class="dialog-actions">
          <Button onClick={leave}>{t('console-stores.done')}</Button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog key="form" title={t('console-stores.removeTitle', { name })} onClose={onClose}>
      <p>{t('console-stores.removeText')}</p>
      {hasAccess && <p>{hasWord(keyStays) ? t(keyStays) : t('console-stores.keyStays')}</p>}
      <Form
        kind="danger"
        action={t('console-stores.removeConfirm')}
        submit={async (_values, options) => {
          const answer = await api.connections.delete(id, { ...options, timeout: 60_000 });
          await refresh('stores', 'overview');
          if (answer.note === '') leave();
          else setNote(answer.note);
        }}
      />
    </Dialog>
  );
}
