import { createHash } from 'node:crypto';
import type { Site } from '../../kernel/declare/site.ts';
import { listKept, type FileRow } from './file-rows.ts';
import { fileStoreOf } from './store/store-of-site.ts';

const ROWS_AT_ONCE = 200;

export interface FilesVerification {
  readonly checked: number;
  readonly differences: readonly { id: number; key: string; problem: 'missing' | 'changed' }[];
}

/** Reads every file and compares it with what was stored. */
export async function verifyFiles(site: Site): Promise<FilesVerification> {
  const differences: FilesVerification['differences'][number][] = [];
  let checked = 0;
  for await (const row of keptFiles(site)) {
    checked += 1;
    const problem = await problemOf(site, row);
    if (problem) differences.push({ id: row.id, key: row.key, problem });
  }
  return { checked, differences };
}

/** All files that are in use, oldest first. */
export async function* keptFiles({ database }: Site): AsyncIterable<FileRow> {
  for (let after = 0; ;) {
    const rows = await listKept(database.read, { after, limit: ROWS_AT_ONCE });
    yield* rows;
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
}

async function problemOf(site: Site, { key, sha256 }: FileRow) {
  const body = await (await fileStoreOf(site)).read(key);
  if (!body) return 'missing';
  const hash = createHash('sha256');
  for await (const chunk of body) hash.update(chunk);
  return hash.digest('hex') === sha256 ? undefined : 'changed';
}
