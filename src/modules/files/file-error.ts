/** Why a file is refused; completes the sentence "the file …". */
export class FileError extends Error {
  override name = 'FileError';
}
