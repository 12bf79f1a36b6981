import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeDatabase, onServer, testServer, type TestDatabase } from '../postgres/databases.ts';
import { eventually } from '../support/eventually.ts';
import { fastParent } from '../support/temp-folder.ts';

/** A data folder with its database, which is a file in it or on a PostgreSQL server. */
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

  /** Empty for SQLite. */
  get databaseUrl(): string {
    return this.#database?.url ?? '';
  }

  /** On PostgreSQL there must be no connections to the database. */
  async copy(): Promise<Place> {
    const database =
      this.#database && (await makeDatabase(testServer()!, { template: this.#database.name }));
    return new Place(copyOf(this.data), database);
  }

  /**
   * Cuts the running process off from its database. An SQLite file is copied, and the process goes on writing to the
   * old one. PostgreSQL closes the connections and accepts no new ones, which rolls back open transactions. The result
   * restores access; call it after the process has ended.
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
  return mkdtempSync(join(fastParent, 'tributary-model-'));
}

function copyOf(folder: string): string {
  const copy = newFolder();
  cpSync(folder, copy, {
    recursive: true,
    // SQLite's shared memory file does not survive a crash.
    filter: (file) => !file.endsWith('-shm'),
  });
  return copy;
}
