import type { Transaction } from '../../src/db/database.ts';
import type { FileRow } from '../../src/modules/files/index.ts';
import { changePages } from './change-pages.ts';
import { versionsOf } from './own-page.ts';
import { emitPage, pageShown, pageSubmitted } from './page-events.ts';
import { deletePage, insertPage } from './page-rows.ts';

interface PageText {
  readonly userId: number;
  /** Otherwise it waits for the review. */
  readonly isShown: boolean;
  readonly name: string;
  readonly text: string;
  /** Undefined to keep that of the last version. */
  readonly language?: string | undefined;
  /** Undefined to keep that of the last version. */
  readonly picture?: FileRow | null | undefined;
  readonly actorId: number;
  readonly nowMs: number;
}

/** Replaces the versions that visitors do not see, and the shown one if this is shown. */
export function writePage(
  tx: Transaction,
  { userId, isShown, name, text, language, picture, actorId, nowMs }: PageText,
): Promise<void> {
  return changePages(tx, userId, async (before) => {
    const { shown, proposed } = versionsOf(before);
    const known = proposed ?? shown;
    const replaced = isShown ? before : before.filter((one) => one !== shown);
    for (const one of replaced) await deletePage(tx, { id: one.id });
    await insertPage(tx, {
      user_id: userId,
      state: isShown ? 'shown' : 'waiting',
      name: name.trim(),
      text: text.trim(),
      language: language ?? known?.language ?? '',
      file_id: picture === undefined ? (known?.file_id ?? null) : (picture?.id ?? null),
      reason: '',
      created_at: nowMs,
    });
    emitPage(tx, isShown ? pageShown : pageSubmitted, userId, actorId, nowMs);
  });
}
