import { useState } from 'preact/hooks';
import type { ChangedStoreConnection, StoreConnection } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { refresh } from '../../../web/data.ts';
import { Button } from '../../../web/ui/button.tsx';
import { Dialog } from '../../../web/ui/dialog.tsx';
import { SelectField } from '../../../web/ui/field.tsx';
import { t } from '../../../web/words.ts';
import { useKinds } from './connection-state.tsx';
import { ShopEntry } from './shop-entry.tsx';
import { StepList } from './step-list.tsx';
import { StoreForm } from './store-form.tsx';
import { StoreSecretForm } from './store-secret-form.tsx';

const OVERLAP_HOURS = [0, 24, 72, 168] as const;

interface SecretDialogProps {
  connection: StoreConnection;
  onClose(): void;
}

/** A new secret for deliveries: made here and shown once, or taken from the store that makes it. */
export function SecretDialog({ connection, onClose }: SecretDialogProps) {
  const { id, kind, receiver_url, has_credentials: hasAccess } = connection;
  const [made, setMade] = useState<ChangedStoreConnection>();
  const isOfStore = useKinds().data?.find((one) => one.kind === kind)?.store_makes_secret;
  if (made) {
    return (
      <Dialog key="made" title={t('console-stores.newSecret')}>
        {made.steps.length > 0 && <StepList steps={made.steps} warnings={made.warnings} />}
        {hasAccess ? (
          <p>{t('console-stores.secretTold')}</p>
        ) : (
          <ShopEntry kind={kind} receiverUrl={receiver_url} secret={made.webhook_secret ?? null} />
        )}
        <div class="dialog-actions">
          <Button onClick={onClose}>
            {hasAccess ? t('console-stores.done') : t('console-stores.secretDone')}
          </Button>
        </div>
      </Dialog>
    );
  }
  if (isOfStore) {
    return (
      <Dialog key="store" title={t('console-stores.newSecret')} onClose={onClose}>
        <p class="muted">{t('console-stores.storeSecretText')}</p>
        <StoreSecretForm id={id} />
      </Dialog>
    );
  }
  return (
    <Dialog key="form" title={t('console-stores.newSecret')} onClose={onClose}>
      <p class="muted">
        {hasAccess ? t('console-stores.newSecretTold') : t('console-stores.newSecretText')}
      </p>
      <StoreForm
        action={t('console-stores.newSecretMake')}
        call={({ overlap = '' }, options) =>
          api.connections.update(id, { new_secret: { overlap_hours: Number(overlap) } }, options)
        }
        onAnswer={async (answer) => {
          setMade(answer);
          await refresh(['store', { id }]);
        }}
      >
        <SelectField
          name="overlap"
          label={t('console-stores.overlap')}
          hint={t('console-stores.overlapHint')}
          required
          value="24"
          options={OVERLAP_HOURS.map((count) => ({
            value: String(count),
            label:
              count === 0
                ? t('console-stores.overlapNone')
                : t('console-stores.overlapHours', { count }),
          }))}
        />
      </StoreForm>
    </Dialog>
  );
}
