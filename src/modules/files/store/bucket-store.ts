import { S3mini } from 's3mini';
import type { BucketAddress } from '../config.ts';
import type { FileStore } from './file-store.ts';

const TIMEOUT_MS = 60_000;

/** Files in a bucket, which several instances share. */
export function bucketStore({ prefix, ...address }: BucketAddress): FileStore {
  const bucket = new S3mini({ ...address, requestAbortTimeout: TIMEOUT_MS });
  return {
    async write(key, bytes) {
      await bucket.putObject(prefix + key, bytes, 'application/octet-stream');
    },
    read: async (key) => (await bucket.getObjectResponse(prefix + key))?.body ?? undefined,
    async remove(key) {
      await bucket.deleteObject(prefix + key);
    },
  };
}
