import type { Job } from '../../kernel/job.ts';
import { perSite, type Site } from '../../kernel/site.ts';
import { removeSessionsSeenBefore, saveSeen } from './session-store.ts';
import { SESSION_AGE_MAX_MS } from './session.ts';

/** When sessions were last seen, written together every few seconds instead of with each request. */
class SeenSessions {
  #pending = new Map<string, number>();

  note(tokenHash: string, nowMs: number): void {
    this.#pending.set(tokenHash, nowMs);
  }

  pendingFor(tokenHash: string): number | undefined {
    return this.#pending.get(tokenHash);
  }

  async write(site: Site): Promise<void> {
    if (this.#pending.size === 0) return;
    const pending = this.#pending;
    this.#pending = new Map();
    await site.database.transaction(async (tx) => {
      for (const [tokenHash, atMs] of pending) await saveSeen(tx, tokenHash, atMs);
    });
  }
}

export const seenSessions = perSite(() => new SeenSessions());

export const writeSeenSessions: Job = {
  name: 'sessions.write-seen',
  everyMs: 15_000,
  runsOn: 'each',
  atStop: true,
  run: (site) => seenSessions(site).write(site),
};

export const pruneSessions: Job = {
  name: 'sessions.prune',
  everyMs: 60 * 60_000,
  runsOn: 'one',
  run: (site) =>
    site.database.transaction((tx) =>
      removeSessionsSeenBefore(tx, site.clock() - SESSION_AGE_MAX_MS),
    ),
};
