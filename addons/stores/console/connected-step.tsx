import { Link } from 'wouter-preact';
import type { NewStoreConnection } from '../../../sdk/src/index.ts';
import { Notice } from '../../../web/ui/notice.tsx';
import { t } from '../../../web/words.ts';
import type { StoreKind } from './connection-state.tsx';
import { LinksHint } from './links-card.tsx';
import { ShopEntry } from './shop-entry.tsx';
import { StepList } from './step-list.tsx';
import { StoreSecretForm } from './store-secret-form.tsx';

interface ConnectedStepProps {
  connection: NewStoreConnection;
  kind: StoreKind;
}

/** The last step: what was made, what remains to be entered in the shop, and what to do next. */
export function ConnectedStep({ connection, kind }: ConnectedStepProps) {
  const {
    id,
    steps,
    warnings,
    has_credentials: hasAccess,
    receiver_url,
    webhook_secret,
  } = connection;
  const path = `/console/stores/${id}`;
  return (
    <>
      {steps.length > 0 && <StepList steps={steps} warnings={warnings} />}
      {hasAccess ? (
        <Notice kind="good">{t('console-stores.connectedText')}</Notice>
      ) : (
        <ShopEntry kind={kind.kind} receiverUrl={receiver_url} secret={webhook_secret} />
      )}
      {!hasAccess && kind.store_makes_secret && <StoreSecretForm id={id} />}
      <LinksHint hasPlugin={kind.has_plugin} />
      <div class="dialog-actions">
        <Link class="button" data-kind="primary" href={path} replace>
          {t('console-stores.toStore')}
        </Link>
        {hasAccess && (
          <Link class="button" data-kind="quiet" href={`${path}?open=import`} replace>
            {t('console-stores.import')}
          </Link>
        )}
        {!kind.store_makes_secret && (
          <Link class="button" data-kind="quiet" href={`${path}?open=test`} replace>
            {t('console-stores.test')}
          </Link>
        )}
      </div>
    </>
  );
}
