import type { Transaction } from '../../../src/db/database.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { emit } from '../../../src/modules/events/index.ts';
import type { CheckReport, StoreError } from '../connectors/connector.ts';
import {
  findConnection,
  lockConnection,
  saveConnection,
  type ConnectionRow,
} from './connection-rows.ts';
import { encryptFor } from './secret.ts';
import { storeDegraded, storeRecovered } from './store-events.ts';

export const WEBHOOKS_OFF =
  'The webhooks of the store are not active. Orders arrive by reconciling, every 15 minutes.';

/** Notes that the store did not answer as it should. A store that asks to wait is busy, not broken. */
export function noteFailure(site: Site, id: number, { code, message }: StoreError): Promise<void> {
  if (code === 'busy') return Promise.resolve();
  return change(site, id, () => ({
    state: code === 'credentials' ? 'failed' : 'degraded',
    reason: message,
  }));
}

/** Notes that the store answers, and what a check has found out: are the webhooks active, is there a new secret? */
export async function noteSuccess(
  site: Site,
  id: number,
  found: Partial<Pick<CheckReport, 'webhooksActive' | 'secret' | 'warnings'>> = {},
): Promise<void> {
  if (found.secret !== undefined) await saveSecret(site, id, found.secret);
  return change(site, id, (connection) => {
    const active =
      found.webhooksActive === undefined
        ? connection.webhooks_active
        : Number(found.webhooksActive);
    return {
      ...(found.warnings && { limits: JSON.stringify(found.warnings) }),
      webhooks_active: active,
      ...(active === 0
        ? { state: 'degraded' as const, reason: WEBHOOKS_OFF }
        : { state: 'connected' as const, reason: '' }),
    };
  });
}

/** Also of a paused connection: the webhook signs with it from now on. */
function saveSecret(site: Site, id: number, secret: string): Promise<void> {
  return site.database.transaction(async (tx) => {
    await lockConnection(tx, id);
    const row = await findConnection(tx, id);
    if (!row) return;
    await saveConnection(tx, { ...row, secret: encryptFor(site, 'secret', id, secret) });
  });
}

type Health = Partial<Pick<ConnectionRow, 'state' | 'reason' | 'webhooks_active' | 'limits'>>;

function change(
  site: Site,
  id: number,
  healthOf: (connection: ConnectionRow) => Health,
): Promise<void> {
  return site.database.transaction(async (tx) => {
    await lockConnection(tx, id);
    const before = await findConnection(tx, id);
    // Without credentials nothing is asked, and a paused connection stays paused.
    if (!before || before.state === 'paused' || before.state === 'receiving') return;
    const health = healthOf(before);
    const isWorking = health.state === 'connected';
    const since = isWorking ? null : (before.failing_since ?? site.clock());
    const after = { ...before, ...health, failing_since: since };
    if (isSame(before, after)) return;
    await saveConnection(tx, after);
    report(tx, site, before, after);
  });
}

function isSame(before: ConnectionRow, after: ConnectionRow): boolean {
  return (
    before.state === after.state &&
    before.reason === after.reason &&
    before.webhooks_active === after.webhooks_active &&
    before.limits === after.limits
  );
}

/** One event when it stops working, and one when it works again. */
function report(tx: Transaction, site: Site, before: ConnectionRow, after: ConnectionRow): void {
  const isWorking = after.state === 'connected';
  if ((before.state === 'connected') === isWorking) return;
  const { id, kind, name, reason } = after;
  const common = { objectId: id, userId: 0, nowMs: site.clock() };
  if (isWorking) {
    const data = { connection_id: id, kind };
    emit(tx, storeRecovered, { ...common, info: `Store ${id} (${name}) works again.`, data });
  } else {
    const data = { connection_id: id, kind, reason };
    emit(tx, storeDegraded, { ...common, info: `Store ${id} (${name}): ${reason}`, data });
  }
}
