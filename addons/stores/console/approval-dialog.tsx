import { useLayoutEffect } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { StoreApproval } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { refresh, useData, useRefreshing } from '../../../web/data.ts';
import { Dialog } from '../../../web/ui/dialog.tsx';
import { Pending } from '../../../web/ui/error-state.tsx';
import { Notice } from '../../../web/ui/notice.tsx';
import { said } from '../../../web/said.ts';
import { t } from '../../../web/words.ts';
import { LinksHint } from './links-card.tsx';
import { StepList } from './step-list.tsx';

const POLL_MS = 1_000;

interface ApprovalDialogProps {
  id: number;
  /** The owner has pressed Deny in the shop. */
  isDenied: boolean;
  onClose(): void;
}

/** The owner is back from the shop: waits until the store is connected with the key that the shop has sent. */
export function ApprovalDialog({ id, isDenied, onClose }: ApprovalDialogProps) {
  const { data, error, retry } = useData('store-request', { id }, () =>
    api.connectionRequests.get(id),
  );
  const state = data?.state;
  const isOpen = !isDenied && (state === 'waiting' || state === 'approved');
  useRefreshing(isOpen ? POLL_MS : undefined, 'store-request');
  // The list behind the dialog has the new connection, too, and why it does not work.
  useLayoutEffect(() => {
    if (state !== undefined && state !== 'waiting') void refresh('stores', 'overview');
  }, [state, data?.reason]);
  return (
    <Dialog title={t('console-stores.approval.title')} onClose={onClose}>
      {data ? (
        <Outcome approval={data} isDenied={isDenied && state === 'waiting'} />
      ) : (
        <Pending error={error} retry={retry} lines={2} />
      )}
    </Dialog>
  );
}

function Outcome({ approval, isDenied }: { approval: StoreApproval; isDenied: boolean }) {
  const { state, reason, steps, warnings, connection_id: connection } = approval;
  const path = `/console/stores/${connection}`;
  const isRetried = state === 'approved' && reason !== '';
  const kind =
    state === 'connected' ? 'good' : isDenied || isRetried || isOver(state) ? 'warn' : 'info';
  const outcome = isDenied ? 'denied' : isRetried ? 'retrying' : state;
  return (
    <>
      {steps.length > 0 && <StepList steps={steps} warnings={warnings} />}
      <Notice kind={kind}>
        {t(`console-stores.approval.${outcome}`)} {said(reason)}
      </Notice>
      {/* Only WooCommerce asks for approval. */}
      {state === 'connected' && <LinksHint hasPlugin />}
      {isRetried && <p class="muted">{t('console-stores.approval.retryingText')}</p>}
      <div class="dialog-actions">
        {(state === 'connected' || isRetried || (state === 'failed' && connection !== null)) && (
          <Link class="button" data-kind="primary" href={path} replace>
            {t('console-stores.toStore')}
          </Link>
        )}
        {state === 'connected' && (
          <Link class="button" data-kind="quiet" href={`${path}?open=import`} replace>
            {t('console-stores.import')}
          </Link>
        )}
        {(isDenied || isOver(state)) && (
          <Link
            class="button"
            data-kind={state === 'failed' ? 'quiet' : 'primary'}
            href="/console/stores?connect=choose"
            replace
          >
            {t('console-stores.connect')}
          </Link>
        )}
      </div>
    </>
  );
}

function isOver(state: StoreApproval['state']): boolean {
  return state === 'expired' || state === 'failed';
}
