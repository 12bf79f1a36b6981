import { createClient } from '@redis/client';
import { SAFETY_NET_MS } from '../support/eventually.ts';

function clientFor(url: string) {
  return createClient({ url, socket: { reconnectStrategy: false, connectTimeout: SAFETY_NET_MS } });
}

export type TestClient = ReturnType<typeof clientFor>;

/** A connection for as long as the work takes. */
export async function onRedis<T>(
  url: string,
  work: (client: TestClient) => Promise<T>,
): Promise<T> {
  const client = clientFor(url);
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    client.destroy();
  }
}
