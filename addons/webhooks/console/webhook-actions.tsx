import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { TributaryError, type WebhookHealth } from '../../../sdk/src/index.ts';
import { api, change } from '../../../web/api.ts';
import { refresh } from '../../../web/data.ts';
import { sentenceOf } from '../../../web/error-words.ts';
import type { Address } from '../../../web/frame/address.ts';
import { Button } from '../../../web/ui/button.tsx';
import { Form } from '../../../web/ui/form.tsx';
import { StatusLine } from '../../../web/ui/status-line.tsx';
import { t } from '../../../web/words.ts';

interface ActionsProps {
  webhook: WebhookHealth;
  address: Address;
}

interface TestResult {
  kind: 'good' | 'warn';
  text: string;
}

/** What can be done with a webhook. */
export function WebhookActions({ webhook, address }: ActionsProps) {
  const { id, status } = webhook;
  const isActive = status === 'active';
  const [result, setResult] = useState<TestResult>();
  const [isBusy, setBusy] = useState(false);
  const test = async () => {
    setBusy(true);
    setResult(await testOf(id));
    setBusy(false);
  };
  return (
    <div class="webhook-actions">
      <Form
        kind={isActive ? 'quiet' : 'primary'}
        action={t(isActive ? 'console-webhooks.pause' : 'console-webhooks.resume')}
        submit={async (_values, options) => {
          await api.webhooks.update(id, { status: isActive ? 'disabled' : 'active' }, options);
          await refresh(['webhook', { id }], 'webhooks');
        }}
      />
      <Button type="button" kind="quiet" busy={isBusy} onClick={() => void test()}>
        {t('console-webhooks.test')}
      </Button>
      {isActive && (
        <Link class="button" data-kind="quiet" href={address.hrefOf({ open: 'replay' })}>
          {t('console-webhooks.replay')}
        </Link>
      )}
      <Link class="button" data-kind="quiet" href={address.hrefOf({ open: 'events' })}>
        {t('console-webhooks.changeEvents')}
      </Link>
      <Link class="button" data-kind="danger" href={address.hrefOf({ open: 'delete' })}>
        {t('console-webhooks.delete')}
      </Link>
      <StatusLine kind={result?.kind ?? 'good'}>{result?.text}</StatusLine>
    </div>
  );
}

/** A receiver that does not answer is a result, not a failure of the service: it is not tried again. */
async function testOf(id: number): Promise<TestResult> {
  try {
    const { code } = await change(() => api.webhooks.test(id));
    const text = t('console-webhooks.testAnswer', { code: String(code) });
    return { kind: code >= 200 && code < 300 ? 'good' : 'warn', text };
  } catch (error) {
    const isAnswered = error instanceof TributaryError && error.code === 'svc_api_delivery_failed';
    const reason = isAnswered ? error.message : sentenceOf(error);
    return { kind: 'warn', text: t('console-webhooks.testNone', { reason }) };
  }
}
