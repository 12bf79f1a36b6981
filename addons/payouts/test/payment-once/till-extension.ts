import type { Extension } from '../../../../src/kernel/declare/extension.ts';
import type { FailureCode, GatewayOutcome } from '../../extension.ts';

const codes = new Map<number, FailureCode>([
  [401, 'credentials'],
  [402, 'balance'],
  [403, 'not_permitted'],
]);

/**
 * A gateway as the author of an extension may write it: every refusal is `failed`, even of a repeated attempt, and a
 * payment that the service does not show is `absent`.
 */
async function outcomeOf(response: Response): Promise<GatewayOutcome> {
  if (response.status >= 500 || response.status === 429) return { status: 'unknown' };
  if (response.status >= 400) {
    const code = codes.get(response.status);
    return { status: 'failed', reason: 'The till refused.', ...(code && { code }) };
  }
  const { id } = (await response.json()) as { id: string };
  return { status: 'paid', transaction_id: id };
}

const extension: Extension = {
  name: 'till',
  gateways: [
    {
      method_type: 'till',
      label: 'Till',
      async pay({ details, idempotency_key, amount_minor, currency }) {
        const body = JSON.stringify({ key: idempotency_key, amount: amount_minor, currency });
        return outcomeOf(
          await fetch(`${String(details['url'])}/payments`, { method: 'POST', body }),
        );
      },
      async ask({ details, idempotency_key }) {
        const response = await fetch(`${String(details['url'])}/payments/${idempotency_key}`);
        if (response.status === 404) return { status: 'absent' };
        if (response.status >= 400) return { status: 'unknown' };
        return outcomeOf(response);
      },
    },
  ],
};

export default extension;
