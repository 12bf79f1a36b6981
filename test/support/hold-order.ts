import assert from 'node:assert/strict';
import type { TestApp } from './harness.ts';

const STORE = '/svc/store/v1';

/** The call of the store API after which an order of a customer with a mailbox at this domain is held by a case. */
export const holding = (domain: string) =>
  ['PATCH', '/review/rules/throwaway_mail', { action: 'hold', domains: [domain] }] as const;

/** Receives an order that the review holds, and returns the id of its case. */
export async function holdOrder(
  app: TestApp,
  { id, code, total = 100 }: { readonly id: number; readonly code: string; total?: number },
): Promise<number> {
  const key = await app.key('admin', 'read,write,manage');
  const send = async (method: string, path: string, json?: unknown) => {
    const reply = await app.call(STORE + path, { method, key, json });
    assert.ok(reply.status < 300, reply.text);
    return reply.body;
  };
  await send(...holding('gone.example'));
  await send('PUT', `/orders/${id}`, {
    date: app.site.calendar.toLocal(app.site.clock()),
    status: 'completed',
    total,
    coupon_codes: [code],
    customer: { email: `customer${id}@gone.example` },
  });
  const [found] = await send('GET', `/cases?order_id=${id}`);
  return found.id;
}
