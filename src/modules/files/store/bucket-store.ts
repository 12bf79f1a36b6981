import { S3mini } from 's3mini';
import { ApiError } from '../../../kernel/declare/errors.ts';
import type { BucketAddress } from '../config.ts';
import { filesUnavailable } from '../file-error.ts';
import type { FileStore } from './file-store.ts';

const TIMEOUT_MS = 60_000;
const RETRY_AFTER_S = 5;

/** Files in a bucket, which several instances share. */
export function bucketStore({ prefix, ...address }: BucketAddress): FileStore {
  const bucket = new S3mini({
    ...address,
    requestAbortTimeout: TIMEOUT_MS,
    // A store that sends us elsewhere would get the file there.
    fetch: (input, init) => fetch(input, { ...init, redirect: 'error' }),
  });
  return {
    async write(key, bytes) {
      await reached(bucket.putObject(prefix + key, bytes, 'application/octet-stream'));
    },
    read: async (key) => (await reached(bucket.getObjectResponse(prefix + key)))?.body ?? undefined,
    async remove(key) {
      await reached(bucket.deleteObject(prefix + key));
    },
  };
}

/** Whatever the store answers: it has not done what it should, and may do so later. */
async function reached<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    throw new ApiError(filesUnavailable, { cause, data: { retry_after: RETRY_AFTER_S } });
  }
}
