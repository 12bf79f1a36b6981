import type { Transaction } from '../../src/db/database.ts';
import { ApiError, generalErrors } from '../../src/kernel/declare/errors.ts';
import { lockAffiliate } from '../../src/modules/affiliates/index.ts';
import { removeFile } from '../../src/modules/files/index.ts';
import { findPage, listPagesOf, type PageRow } from './page-rows.ts';

/**
 * Runs a change of the versions of an affiliate. Afterwards the files that no version uses are removed.
 */
export async function changePages<T>(
  tx: Transaction,
  userId: number,
  change: (before: readonly PageRow[]) => Promise<T>,
): Promise<T> {
  await lockAffiliate(tx, userId);
  const before = await listPagesOf(tx, { user_id: userId });
  const result = await change(before);
  const after = await listPagesOf(tx, { user_id: userId });
  const isUsed = new Set(after.map(({ file_id }) => file_id));
  for (const { file_id } of before) {
    if (file_id !== null && !isUsed.has(file_id)) await removeFile(tx, { id: file_id });
  }
  return result;
}

/** Runs a change of a version that the team has read. Another version has another number. */
export async function decidePage<T>(
  tx: Transaction,
  id: number,
  decide: (page: PageRow, all: readonly PageRow[]) => Promise<T>,
): Promise<T> {
  const known = await findPage(tx, { id });
  if (!known) throw new ApiError(generalErrors.notFound);
  return changePages(tx, known.user_id, (all) => {
    const page = all.find((one) => one.id === id);
    if (!page) throw new ApiError(generalErrors.notFound);
    return decide(page, all);
  });
}
