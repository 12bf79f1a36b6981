import { defineError } from '../../kernel/declare/errors.ts';

/** Why a file is refused; completes the sentence "the file …". */
export class FileError extends Error {
  override name = 'FileError';
}

export const filesUnavailable = defineError(
  'svc_api_files_unavailable',
  503,
  'Files cannot be read or stored at the moment. Try again in a few seconds.',
);
