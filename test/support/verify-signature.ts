import { mock } from 'node:test';
import { Webhook } from 'standardwebhooks';
import type { Received } from './receiver.ts';

/** Verifies a delivery like a receiver would at the time of its timestamp. */
export function verify(
  secret: string,
  { body, headers }: Pick<Received, 'body' | 'headers'>,
): void {
  const sentMs = Number(headers['webhook-timestamp']) * 1000;
  const now = mock.method(Date, 'now', () => sentMs);
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
  } finally {
    now.mock.restore();
  }
}
