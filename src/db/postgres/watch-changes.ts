import pg, { type ClientConfig } from 'pg';
import type { Telling } from './transaction.ts';

const RECONNECT_MS = 500;

interface Watch {
  /** Resolves after the first attempt, whatever came of it. */
  begun: Promise<void>;
  stop(): Promise<void>;
}

/**
 * Listens to what other processes tell with their commits. What was told before it listened is
 * missed, at the start and after a lost connection, so the action runs once whenever it begins.
 */
export function watchChannel(
  options: ClientConfig,
  { channel, sender }: Telling,
  action: () => void,
): Watch {
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let stopped = false;

  const listen = async (): Promise<void> => {
    const mine = new pg.Client(options);
    client = mine;
    const again = () => {
      if (stopped || client !== mine) return;
      client = undefined;
      // A standby lets it connect and not listen: without an end each attempt would leave one open.
      void mine.end().catch(() => {});
      retry = setTimeout(() => void listen(), RECONNECT_MS).unref();
    };
    mine.on('error', again);
    mine.on('end', again);
    mine.on('notification', ({ payload }) => {
      if (payload !== sender) action();
    });
    try {
      await mine.connect();
      await mine.query(`listen ${channel}`);
      action();
    } catch {
      again();
    }
  };

  return {
    begun: listen(),
    async stop() {
      stopped = true;
      clearTimeout(retry);
      await client?.end().catch(() => {});
    },
  };
}
