import type pg from 'pg';
import type { Servers } from './servers.ts';
import type { Notifier } from './transaction.ts';

const RECONNECT_MS = 500;

interface Watch {
  /** Resolves after the first attempt, successful or not. */
  begun: Promise<void>;
  stop(): Promise<void>;
}

/**
 * Listens for the notifications that other processes send with their commits. Notifications
 * that are sent while it does not listen are lost, so the action also runs each time it begins to listen: at
 * the start and after a lost connection.
 */
export function watchChannel(
  servers: Servers,
  { channel, sender }: Notifier,
  action: () => void,
): Watch {
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let stopped = false;

  const listen = async (): Promise<void> => {
    let mine: pg.Client | undefined;
    const again = () => {
      if (stopped || client !== mine) return;
      client = undefined;
      // A standby accepts the connection and refuses LISTEN: each attempt would leave a connection open.
      void mine?.end().catch(() => {});
      retry = setTimeout(() => void listen(), RECONNECT_MS).unref();
    };
    try {
      mine = await servers.connect();
      if (stopped) return await mine.end();
      client = mine;
      mine.on('error', again);
      mine.on('end', again);
      mine.on('notification', ({ payload }) => {
        if (payload !== sender) action();
      });
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
