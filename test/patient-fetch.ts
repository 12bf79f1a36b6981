import { Agent, setGlobalDispatcher } from 'undici';
import { SAFETY_NET_MS } from './eventually.ts';

// `fetch` gives a connection ten seconds, of which a busy machine can use more. It reads this dispatcher.
setGlobalDispatcher(
  new Agent({
    connect: { timeout: SAFETY_NET_MS },
    headersTimeout: SAFETY_NET_MS,
    bodyTimeout: SAFETY_NET_MS,
  }),
);
