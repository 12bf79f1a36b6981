import { createHash } from 'node:crypto';
import type { Transaction } from '../../db/database.ts';
import { CommandError } from '../../kernel/declare/command.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { SourceFile } from './from/read-file.ts';
import {
  createImport,
  findImportToChange,
  findInterrupted,
  savePieces,
  type ImportRow,
} from './import-rows.ts';

interface NewImport {
  readonly system: string;
  readonly files: readonly SourceFile[];
  readonly runBy: string;
}

/** A new import, or the one of the same files that did not end. */
export function beginImport(site: Site, { system, files, runBy }: NewImport): Promise<ImportRow> {
  const digest = createHash('sha256');
  for (const file of files) digest.update(file.digest);
  const values = {
    system,
    files: JSON.stringify(files.map(({ name }) => name)),
    digest: digest.digest('hex'),
    run_by: runBy,
    created_at: site.clock(),
  };
  return site.database.transaction(async (tx) => {
    await tx.lock('imports');
    return (await findInterrupted(tx, values)) ?? createImport(tx, values);
  });
}

/** Counts a piece, and refuses to go on where another run applies the same import. */
export async function claimPiece(tx: Transaction, id: number, done: number): Promise<void> {
  const row = await findImportToChange(tx, { id });
  if (row?.state !== 'running' || row.pieces !== done) {
    throw new CommandError('refused', `Another command is working on import ${id}.`);
  }
  await savePieces(tx, { id, pieces: done + 1 });
}
