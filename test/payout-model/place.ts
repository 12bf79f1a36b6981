import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../eventually.ts';
import { makeDatabase, onServer, testServer, type TestDatabase } from '../postgres/databases.ts';

/** In memory where the system has such a place: what is checked here is not the disk. */
const PARENT = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** A data folder and its database, which is in it or on a server. */
export class Place {
  readonly data: string;
  readonly #database: TestDatabase | undefined;

  private constructor(data: string, database: TestDatabase | undefined) {
    this.data = data;
    this.#database = database;
  }

  static async make(): Promise<Place> {
    const server = testServer();
    return new Place(newFolder(), server === undefined ? undefined : await makeDatabase(server));
  }

  /** Empty for a file. */
  get databaseUrl(): string {
    return this.#database?.url ?? '';
  }

  /** On a server nobody may be connected. */
  async copy(): Promise<Place> {
    const database =
      this.#database && (await makeDatabase(testServer()!, { template: this.#database.name }));
    return new Place(copyOf(this.data), database);
  }

  /**
   * Takes the database away from the program that runs on it, at this very moment. A file is copied,
   * and the program left to write into the old one. A server ends its connections and takes no more,
   * which undoes whatever was not committed. The result brings it back, once the program has ended.
   */
  async cutOff(): Promise<() => Promise<Place>> {
    if (!this.#database) {
      const copy = new Place(copyOf(this.data), undefined);
      return async () => {
        await this.remove();
        return copy;
      };
    }
    const { name } = this.#database;
    const server = testServer()!;
    await onServer(
      server,
      `alter database ${name} allow_connections false`,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    );
    await eventually(async () => {
      const left = await onServer(
        server,
        `select pid from pg_stat_activity where datname = '${name}'`,
      );
      assert.deepEqual(left, []);
    });
    return async () => {
      await onServer(server, `alter database ${name} allow_connections true`);
      return this;
    };
  }

  async remove(): Promise<void> {
    rmSync(this.data, { recursive: true, force: true });
    await this.#database?.drop();
  }
}

function newFolder(): string {
  return mkdtempSync(join(PARENT, 'tributary-model-'));
}

function copyOf(folder: string): string {
  const copy = newFolder();
  cpSync(folder, copy, {
    recursive: true,
    // Shared memory of the database, which no crash leaves behind in a usable state.
    filter: (file) => !file.endsWith('-shm'),
  });
  return copy;
}
