import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { CallOptions, StoreConnection } from '../../../sdk/src/index.ts';
import { act, GivenUp } from '../../../web/act.ts';
import { api } from '../../../web/api.ts';
import { refresh } from '../../../web/data.ts';
import { sentenceOf } from '../../../web/error-words.ts';
import type { Address } from '../../../web/frame/address.ts';
import { Button } from '../../../web/ui/button.tsx';
import { StatusLine } from '../../../web/ui/status-line.tsx';
import { said } from '../../../web/said.ts';
import { t } from '../../../web/words.ts';
import { askStore } from './ask-store.ts';

interface ActionsProps {
  connection: StoreConnection;
  address: Address;
}

/** What was found, in sentences. */
interface Result {
  readonly kind: 'good' | 'warn';
  readonly notes: readonly string[];
}

type Action = 'check' | 'reconcile' | 'state';

/** What can be done with a connection every day. The rest is on the card of its setup. */
export function ConnectionActions({ connection, address }: ActionsProps) {
  const { id, state, has_credentials: hasAccess } = connection;
  const isPaused = state === 'paused';
  const [busy, setBusy] = useState<Action>();
  const [result, setResult] = useState<Result>();
  const run = async (action: Action, call: (options: CallOptions) => Promise<Result>) => {
    setBusy(action);
    setResult(undefined);
    try {
      setResult(await act(call));
    } catch (error) {
      if (!(error instanceof GivenUp)) setResult(refused(sentenceOf(error)));
    } finally {
      setBusy(undefined);
      await refresh(['store', { id }], 'stores', 'overview');
    }
  };
  const button = (
    action: Action,
    label: string,
    call: (options: CallOptions) => Promise<Result>,
  ) => (
    <Button
      type="button"
      kind={action === 'state' && isPaused ? 'primary' : 'quiet'}
      busy={busy === action}
      onClick={() => void run(action, call)}
    >
      {label}
    </Button>
  );
  return (
    <>
      <StatusLine kind={result?.kind ?? 'good'}>{result?.notes.map(said).join(' ')}</StatusLine>
      <div class="store-actions">
        {button('check', t('console-stores.check'), (options) => check(id, options))}
        <Link class="button" data-kind="quiet" href={address.hrefOf({ open: 'test' })}>
          {t('console-stores.test')}
        </Link>
        {hasAccess &&
          !isPaused &&
          button('reconcile', t('console-stores.reconcile'), (options) => reconcile(id, options))}
        {hasAccess && connection.import?.state !== 'running' && (
          <Link class="button" data-kind="quiet" href={address.hrefOf({ open: 'import' })}>
            {t('console-stores.import')}
          </Link>
        )}
        {button(
          'state',
          isPaused ? t('console-stores.resume') : t('console-stores.pause'),
          async (options) => {
            await api.connections.update(id, { state: isPaused ? 'active' : 'paused' }, options);
            return { kind: 'good', notes: [] };
          },
        )}
      </div>
    </>
  );
}

const refused = (reason: string): Result => ({ kind: 'warn', notes: [reason] });

async function check(id: number, options: CallOptions): Promise<Result> {
  const asked = await askStore(options, (call) => api.connections.check(id, call));
  if ('refusal' in asked) return refused(asked.refusal);
  const { works, notes, connection } = asked.value;
  if (notes.length === 0) return { kind: 'good', notes: [t('console-stores.checkGood')] };
  const isGood = works === true && connection.state === 'connected';
  return { kind: isGood ? 'good' : 'warn', notes };
}

async function reconcile(id: number, options: CallOptions): Promise<Result> {
  const asked = await askStore(options, (call) => api.connections.reconcile(id, {}, call));
  if ('refusal' in asked) return refused(asked.refusal);
  return { kind: 'good', notes: [asked.value.summary] };
}
