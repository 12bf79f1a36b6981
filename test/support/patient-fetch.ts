import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { SAFETY_NET_MS } from './eventually.ts';

/** `fetch` gives a connection ten seconds, of which a busy machine can use more. */
const patientAgent = () =>
  new Agent({
    connect: { timeout: SAFETY_NET_MS },
    headersTimeout: SAFETY_NET_MS,
    bodyTimeout: SAFETY_NET_MS,
  });

// `fetch` reads this dispatcher.
setGlobalDispatcher(patientAgent());

/**
 * Closes the idle connections of `fetch`. For a test that then blocks its process for longer than a server keeps a
 * connection: the next request would be sent on one that is being closed.
 */
export async function closeConnections(): Promise<void> {
  const before = getGlobalDispatcher();
  setGlobalDispatcher(patientAgent());
  await before.close();
}
