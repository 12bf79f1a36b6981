export { DOCUMENT_BYTES_MAX, FILE_BYTES_MAX, IMAGE_BYTES_MAX } from './read-file.ts';
export { filesUnavailable } from './file-error.ts';
export { fileResponse } from './file-response.ts';
export { findFiles, removeFile, type FileRow } from './file-rows.ts';
export { FileFacts, smallPicture, toFileFacts, toPrivateFacts } from './file-wire.ts';
export {
  FileInput,
  storeFile,
  storeFiles,
  tooManyBytes,
  useFile,
  type FileSender,
} from './store-file.ts';
export { isInBucket } from './store/store-of-site.ts';
export { keptFiles, verifyFiles, type FilesVerification } from './verify-files.ts';
