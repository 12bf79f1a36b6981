import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileStore } from './file-store.ts';

/** Files in a folder that only the user of the service may read. */
export function folderStore(folder: string): FileStore {
  return {
    async write(key, bytes) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const draft = join(folder, `${key}.${randomBytes(6).toString('hex')}.part`);
      try {
        const file = await open(draft, 'wx', 0o600);
        try {
          await file.writeFile(bytes);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(draft, join(folder, key));
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },
    async read(key) {
      const path = join(folder, key);
      try {
        await access(path);
        return bytesOf(path);
      } catch (error) {
        // node:fs throws errors with the code of the operating system.
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    remove: (key) => rm(join(folder, key), { force: true }),
  };
}

/** Opens the file when it is read: a response that is never sent, such as one to HEAD, leaves nothing open. */
async function* bytesOf(path: string): AsyncGenerator<Buffer> {
  yield* createReadStream(path);
}
