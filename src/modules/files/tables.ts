import type { Generated } from 'kysely';

/** `draft`: nothing uses it yet. `removed`: nothing uses it any longer, and its bytes are about to be deleted. */
export type FileState = 'draft' | 'kept' | 'removed';

/** Files that were uploaded. A row exists before the bytes of its file are stored, and until they are deleted. */
export interface FilesTable {
  id: Generated<number>;
  /** Names the bytes in the store, and is the address of a public file: it cannot be guessed. */
  key: string;
  /** The name that the file had where it came from. */
  name: string;
  /** The media type, by the content. */
  type: string;
  bytes: number;
  /** Of the bytes as they are stored. */
  sha256: string;
  width: number | null;
  height: number | null;
  /** Bytes of the small picture; 0 without one. */
  small_bytes: number;
  access: 'public' | 'private';
  /** The affiliate to whom the file belongs: it is deleted when the person is erased. */
  user_id: number | null;
  state: FileState;
  created_at: number;
}

/** What each affiliate has sent, on the day of its last file. */
export interface FileDaysTable {
  user_id: number;
  day: string;
  bytes: number;
}

declare module '../../db/tables.ts' {
  interface Tables {
    files: FilesTable;
    file_days: FileDaysTable;
  }
}
