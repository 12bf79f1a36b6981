export { filesUnavailable } from './file-error.ts';
export { fileResponse } from './file-response.ts';
export { findFiles, removeFile, type FileRow } from './file-rows.ts';
export { FileFacts, smallPicture, toFileFacts, toPrivateFacts } from './file-wire.ts';
export {
  FILE_FORM_BYTES_MAX,
  FileInput,
  IMAGE_FORM_BYTES_MAX,
  storeFile,
  storeFiles,
  tooManyBytes,
  useFile,
  type FileSender,
} from './store-file.ts';
export { isInBucket } from './store/store-of-site.ts';
export { keptFiles, verifyFiles, type FilesVerification } from './verify-files.ts';
