import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after } from 'node:test';
import { dataFolder } from '../../src/installation/data-folder.ts';
import { withAddons } from '../support/addon-facts.ts';
import { everyAddonOn, sendingHere } from '../support/every-addon-on.ts';
import {
  idOf,
  openTestApp,
  type CallOptions,
  type Reply,
  type TestApp,
} from '../support/harness.ts';
import { closeConnections } from '../support/patient-fetch.ts';
import { fastParent } from '../support/temp-folder.ts';
import { FEW, FIRST } from './fill-kit.ts';
import { fill, type Amount } from './fill.ts';

export const METRICS_TOKEN = 'a-token-for-the-metrics';
export const STORE = '/svc/store/v1';

/** A service with so many rows in each table. */
export class FilledStore {
  readonly app: TestApp;
  readonly db: DatabaseSync;
  readonly admin: string;

  /** By default no statement runs in a thread, because the steps of this one are counted. */
  static async open(
    amount: number | Amount,
    longFromBytes = Number.POSITIVE_INFINITY,
    parent = fastParent,
  ): Promise<FilledStore> {
    const data = mkdtempSync(join(parent, 'tributary-growth-'));
    let db: DatabaseSync | undefined;
    after(() => {
      db?.close();
      rmSync(data, { recursive: true, force: true });
    });
    const app = await openTestApp({
      longFromBytes,
      config: { data, currency: 'EUR', metricsToken: METRICS_TOKEN },
      settings: {
        ...everyAddonOn,
        ...sendingHere,
        'accounts.sign_in_by_link': true,
        // A changed rule would be a mail to every affiliate, which is work for each of them.
        'mail.rewards': false,
        'payouts.debtor_bic': 'ABNANL2A',
        'payouts.debtor_iban': 'NL91 ABNA 0417 1643 00',
        'payouts.debtor_name': 'Shop',
        'registrations.auto_accept': false,
        'registrations.open': true,
      },
    });
    db = new DatabaseSync(dataFolder(data).databaseFile, { timeout: 60_000 });
    const store = new FilledStore(app, db, await app.key('admin', 'read,write,manage'));
    await store.#setUpFew();
    await closeConnections();
    fill(db, typeof amount === 'number' ? { rows: amount } : amount, app.site.clock());
    return store;
  }

  private constructor(app: TestApp, db: DatabaseSync, admin: string) {
    this.app = app;
    this.db = db;
    this.admin = admin;
  }

  /** What an administrator sets up, with the numbers that the rows refer to. */
  async #setUpFew(): Promise<void> {
    const setUp = withAddons({}, (facts) => facts.setUp);
    for (const table of ['imports', ...Object.keys(setUp)]) {
      this.db.exec(`insert into sqlite_sequence (name, seq) values ('${table}', ${FIRST - 1})`);
    }
    await this.#create(`${STORE}/coupons`, { code: 'SAMPLE', user_id: idOf('maya') });
    const order = { date: '2026-03-01T10:00:00', status: 'completed', total: 100 };
    const path = `${STORE}/orders/1`;
    await this.#create(path, { ...order, coupon_codes: ['SAMPLE'] }, 'PUT');
    for (let i = 0; i < FEW; i++) {
      for (const few of Object.values(setUp)) await this.#create(...few);
      this.db.exec(`insert into imports (system, state, files, digest, created_at)
        values ('rewardful', 'done', '[]', '${i}', 0)`);
    }
  }

  async #create(path: string, json: unknown, method = 'POST'): Promise<void> {
    const { status, text } = await this.call(path, { method, json });
    assert.equal(status, 201, text);
  }

  /** A call of the administrator, unless it is anonymous or the options name another caller. */
  call(path: string, options: CallOptions, { isAnonymous = false } = {}): Promise<Reply> {
    const isApi = path.startsWith('/svc/');
    const isAdmin = isApi && !isAnonymous && options.session === undefined;
    const caller = isAdmin ? { key: this.admin } : {};
    return this.app.call(isApi ? path : `~${path}`, { ...caller, ...options });
  }
}
