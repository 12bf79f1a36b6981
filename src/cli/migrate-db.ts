import { openApp } from '../app.ts';
import { copyDatabase, OtherRowsError, type CopiedCount } from '../db/copy-database.ts';
import { lockFile } from '../db/files/lock-file.ts';
import { markMoved, unmarkMoved } from '../db/moved-database.ts';
import { resolveConfig } from '../installation/config.ts';
import { invoke } from '../kernel/call/invoke.ts';
import { CommandError } from '../kernel/declare/command.ts';
import type { Site } from '../kernel/declare/site.ts';
import { verifyLedger } from '../modules/ledger/index.ts';
import { countOf } from '../shared/count-of.ts';
import { textTable } from '../shared/text-table.ts';
import { createLog } from './log.ts';
import { print } from './output.ts';
import { Progress } from './progress.ts';
import { requireInstallation, withSite, type Flags } from './with-site.ts';

export interface MoveFlags extends Flags {
  to?: string;
  /** Returns to the database file. */
  back?: boolean;
}

export async function migrateDb({ to, back, ...flags }: MoveFlags): Promise<void> {
  if (back) return goBack(flags);
  const given = to === undefined ? {} : { databaseUrl: to };
  // The pro edition has every table, whichever edition the source uses.
  const { config } = resolveConfig({ ...flags, ...given, edition: 'pro' }, process.env);
  if (config.databaseUrl === '') {
    throw new CommandError('usage', 'Say where to: --to URL, or DATABASE_URL.');
  }
  const folder = requireInstallation({ ...config, databaseUrl: '' });
  const lock = lockFile(folder.lockFile);
  if (!lock) throw new CommandError('refused', 'The service is running. Stop it first.');
  try {
    const copy = async (source: Site) => {
      const target = await openApp({ config, log: await createLog('warn') });
      try {
        await move(source, target.site, flags);
        await markMoved(source.database, config.databaseUrl, source.clock());
      } finally {
        await target.close();
      }
    };
    await withSite({ ...flags, databaseUrl: '' }, copy, { opensMoved: true });
  } finally {
    lock.release();
  }
}

async function goBack(flags: Flags): Promise<void> {
  const onFile = { ...flags, databaseUrl: '' };
  const wasMoved = await withSite(onFile, (site) => unmarkMoved(site.database), {
    opensMoved: true,
  });
  if (!wasMoved) throw new CommandError('refused', 'This database file was not moved.');
  print(
    flags.json,
    { back: true },
    () =>
      'The file is used again when the service starts without DATABASE_URL. What was changed on the server is not in it.',
  );
}

const notEmpty = new CommandError(
  'refused',
  'The target database already contains rows. Use an empty one.',
);

async function move(source: Site, target: Site, flags: Flags): Promise<void> {
  const progress = new Progress(!flags.json);
  const copies = await copyDatabase(source.database, target.database, (done, all, name) =>
    progress.show(all === 0 ? 1 : done / all, name),
  ).catch((error: unknown) => {
    throw error instanceof OtherRowsError ? notEmpty : error;
  });
  progress.end();
  await target.database.updateStatistics();
  const books = await invoke<{ ok: boolean; entries: number }>(target, verifyLedger);
  print(flags.json, { tables: copies, verified: books.ok }, () => describe(copies, books.entries));
  if (copies.some(({ rows, copied }) => rows !== copied)) {
    throw notEmpty;
  }
  if (!books.ok) throw new CommandError('refused', 'The balances do not agree with the ledger.');
}

function describe(copies: readonly CopiedCount[], entries: number): string {
  const rows = copies
    .filter(({ rows: here, copied }) => here + copied > 0)
    .map(({ table: name, rows: here, copied }) => [name, String(here), String(copied)]);
  return [
    textTable(['table', 'rows here', 'rows there'], rows),
    '',
    `Checked ${countOf(entries, 'ledger entry', 'ledger entries')} against the balances there.`,
    'Start the service with DATABASE_URL and the same data folder: it holds the secret.',
    'The file is no longer used: a start without DATABASE_URL is refused.',
  ].join('\n');
}
