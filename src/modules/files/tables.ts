import { id, integer, table, text, type TablesOf } from '../../db/define-table.ts';

/** `draft`: nothing uses it yet. `removed`: nothing uses it any longer, and its bytes are about to be deleted. */
export type FileState = 'draft' | 'kept' | 'removed';

export const tables = {
  /** Files that were uploaded. A row exists before the bytes of its file are stored, and until they are deleted. */
  files: table({
    id: id(),
    /** Names the bytes in the store, and is the address of a public file: it cannot be guessed. */
    key: text().unique(),
    /** The name that the file had where it came from. */
    name: text(),
    /** The media type, by the content. */
    type: text(),
    bytes: integer(),
    /** Of the bytes as they are stored. */
    sha256: text(),
    width: integer().orNull(),
    height: integer().orNull(),
    /** Bytes of the small picture; 0 without one. */
    small_bytes: integer(),
    access: text<'public' | 'private'>(),
    /** The affiliate to whom the file belongs: it is deleted when the person is erased. */
    user_id: integer().orNull().references('users.id'),
    state: text<FileState>(),
    created_at: integer(),
  })
    .index('of_user', ['user_id'], { where: 'user_id is not null' })
    // Few rows: those that the next clean-up may delete.
    .index('unused', ['state', 'created_at'], { where: "state <> 'kept'" }),
  /** What each affiliate has sent, on the day of its last file. */
  file_days: table({
    user_id: integer().key().references('users.id'),
    day: text(),
    bytes: integer(),
  }),
};

declare module '../../db/tables.ts' {
  interface Tables extends TablesOf<typeof tables> {}
}
