import type { Job } from '../../kernel/declare/job.ts';
import { deleteFile, listUnused } from './file-rows.ts';
import { smallKey } from './store-file.ts';
import { fileStoreOf } from './store/store-of-site.ts';

/** A request that stores a draft uses it within minutes, or never. */
const DRAFT_MS = 60 * 60_000;
const AT_ONCE = 50;

/** Deletes the bytes of files that nothing uses, and then their rows: bytes without a row cannot remain. */
export const cleanUpFiles: Job = {
  name: 'files.clean-up',
  everyMs: 5 * 60_000,
  runsOn: 'one',
  async run(site) {
    const { database, clock } = site;
    for (;;) {
      const unused = await listUnused(database.read, {
        drafts_before: clock() - DRAFT_MS,
        limit: AT_ONCE,
      });
      if (unused.length === 0) return;
      const store = await fileStoreOf(site);
      for (const { id, key, small_bytes } of unused) {
        await store.remove(key);
        if (small_bytes > 0) await store.remove(smallKey(key));
        await database.transaction((tx) => deleteFile(tx, { id }));
      }
    }
  },
};
