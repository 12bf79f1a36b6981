import { ApiError } from '../../../kernel/declare/errors.ts';
import type { Job } from '../../../kernel/declare/job.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { listRequestedUndos, saveUndoRequest } from '../import-store.ts';
import { undoImport } from './undo-import.ts';

/** Undoes the imports that users have asked for; after a restart it goes on. */
export const carryOutUndos: Job = {
  name: 'imports.undo',
  everyMs: 2_000,
  runsOn: 'one',
  async run(site) {
    for (const id of await listRequestedUndos(site.database.read)) await undo(site, id);
  },
};

/** Money that moves while it runs stops an undo; the owner reads why and asks again. */
async function undo(site: Site, id: number): Promise<void> {
  try {
    await undoImport(site, id);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const reason = error.message;
    await site.database.transaction((tx) => saveUndoRequest(tx, { id, undo_by: null, reason }));
  }
}
