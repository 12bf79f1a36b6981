import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { invoke } from '../../../src/kernel/call/invoke.ts';
import { CommandError, type CommandContext } from '../../../src/kernel/declare/command.ts';
import { textTable } from '../../../src/shared/text-table.ts';
import { StoreError } from '../connectors/connector.ts';
import { parsedJson } from '../mapping/payload.ts';
import { importOrders } from '../orders/import-orders.ts';
import { reconcileConnection } from '../sync/reconcile-connection.ts';
import { readNextPage } from '../sync/run-sync.ts';
import { checkConnection } from './check-connection.ts';
import { createConnection } from './create-connection.ts';
import { getConnection } from './get-connection.ts';
import { listConnections } from './list-connections.ts';

const WAIT_MS = 1_000;

export interface AddFlags {
  kind: string;
  name?: string;
  url?: string;
  credentials?: string;
  replace?: true;
  another?: true;
}

export interface SinceFlags {
  since?: string;
}

export async function add({ withSite, print }: CommandContext, flags: AddFlags): Promise<void> {
  const { credentials, ...store } = flags;
  const given = credentials === undefined ? {} : { credentials: readCredentials(credentials) };
  await withSite(async (site) => {
    const connected = await invoke(site, createConnection, { ...store, ...given });
    print(connected, () =>
      [
        `Store ${connected.id} is ${connected.state}.`,
        ...connected.steps,
        ...connected.warnings,
        `Deliveries go to ${connected.receiver_url}`,
        ...(connected.webhook_secret === null
          ? []
          : [`Their secret, which is shown only once: ${connected.webhook_secret}`]),
      ].join('\n'),
    );
  });
}

/** Credentials are read from a file, because other users of the machine see the arguments of a command. */
function readCredentials(file: string): Record<string, string> {
  const values = parsedJson(readFileSync(file === '-' ? 0 : file, 'utf8'));
  const isValid =
    typeof values === 'object' &&
    values !== null &&
    Object.values(values).every((value) => typeof value === 'string');
  if (!isValid) {
    throw new CommandError('usage', 'The file of --credentials must be a JSON object of texts.');
  }
  // Checked above.
  return values as Record<string, string>;
}

export async function list({ withSite, print }: CommandContext): Promise<void> {
  await withSite(async (site) => {
    const stores = await invoke(site, listConnections, { per_page: 100 });
    print(stores, () =>
      stores.length === 0
        ? 'No stores. Connect one: ./tributary stores add --kind KIND'
        : textTable(
            [
              'id',
              'kind',
              'name',
              'state',
              'last order',
              'last read',
              'missed',
              'rejected',
              'reason',
            ],
            stores.map((store) => [
              String(store.id),
              store.kind,
              store.name,
              store.state,
              store.last_order_at ?? '-',
              store.last_reconciled_at ?? '-',
              String(store.missed_found),
              String(store.rejected),
              store.reason,
            ]),
          ),
    );
  });
}

export async function check({ withSite, print }: CommandContext, id: string): Promise<void> {
  await withSite(async (site) => {
    const report = await invoke(site, checkConnection, { id });
    print(report, () => report.notes.join('\n'));
    if (report.works === false) throw new CommandError('failed', 'The store does not work.');
  });
}

export async function reconcile(
  { withSite, print }: CommandContext,
  id: string,
  { since }: SinceFlags,
): Promise<void> {
  await withSite(async (site) => {
    const report = await invoke(site, reconcileConnection, { id, since });
    print(report, () => report.summary);
  });
}

/** Reads until nothing is left, together with a running server, which may read other pages. */
export async function importHistory(
  { withSite, print }: CommandContext,
  id: string,
  { since }: SinceFlags,
): Promise<void> {
  await withSite(async (site) => {
    let { import: progress } = await invoke(site, importOrders, { id, since });
    while (progress?.state === 'running') {
      try {
        if (!(await readNextPage(site, Number(id), 'import'))) await pause(WAIT_MS);
      } catch (error) {
        if (!(error instanceof StoreError) || error.code !== 'busy') throw error;
        await pause(error.retryAfterMs ?? WAIT_MS);
      }
      ({ import: progress } = await invoke(site, getConnection, { id }));
    }
    print(progress, () => `${progress?.read} orders read, ${progress?.changed} new or changed.`);
  });
}
