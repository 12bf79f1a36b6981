import { X509Certificate } from 'node:crypto';
import { statSync } from 'node:fs';
import type { Database } from '../db/database.ts';
import type { Log } from '../kernel/declare/log.ts';
import type { Site } from '../kernel/declare/site.ts';
import { DAY_MS } from '../shared/durations.ts';
import { LimitedLog } from '../shared/limited-log.ts';
import { loadCertificate, RENEW_BEFORE_MS, type Exclusively, type Pair } from './certificate.ts';
import type { Config } from './config.ts';
import type { DataFolder } from './data-folder.ts';

const LOOK_EVERY_MS = 60_000;
/** Fewer days left are logged at the start and once a day. Renewals are usually due 30 days before. */
const WARN_FROM_DAYS = 21;

export interface CertificateOptions {
  config: Config;
  folder: DataFolder;
  database: Database;
  log: Log;
  clock: () => number;
  /** Interval between checks for renewed files, for tests. */
  everyMs?: number | undefined;
}

/**
 * The certificate that is served. Its files are checked once a minute: a renewed pair is served to new
 * connections without a restart, and an unusable pair is ignored. A self-signed certificate is renewed here a
 * month before it expires.
 */
export class ServedCertificate {
  readonly #options: CertificateOptions;
  readonly #files: readonly string[];
  readonly #failures: LimitedLog;
  #stamp: string;
  #pair: Pair;
  #certificate: X509Certificate;
  #warnedMs = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  /** Returns undefined if a proxy serves the certificate. Throws ConfigError. */
  static async open(options: CertificateOptions): Promise<ServedCertificate | undefined> {
    const { config, folder } = options;
    const files =
      config.tls === 'files'
        ? [config.tlsCert, config.tlsKey]
        : [folder.certificateFile, folder.certificateKeyFile];
    // Read before the files, so that a change in between is detected by the next check.
    const stamp = stampOf(files);
    const pair = await load(options);
    return pair && new ServedCertificate(options, files, stamp, pair);
  }

  private constructor(
    options: CertificateOptions,
    files: readonly string[],
    stamp: string,
    pair: Pair,
  ) {
    this.#options = options;
    this.#files = files;
    this.#failures = new LimitedLog(options.log);
    this.#stamp = stamp;
    this.#pair = pair;
    this.#certificate = new X509Certificate(pair.cert);
    this.#warn();
  }

  get pair(): Pair {
    return this.#pair;
  }

  readonly facts: NonNullable<Site['certificate']> = {
    daysLeft: () => Math.floor((this.#expiresMs() - this.#options.clock()) / DAY_MS),
  };

  /** Checks for renewed files until `stop`, and passes each new pair to `serve`. */
  watch(serve: (pair: Pair) => void): void {
    const { everyMs = LOOK_EVERY_MS } = this.#options;
    const look = async () => {
      await this.#look(serve);
      this.#timer &&= schedule();
    };
    const schedule = () => setTimeout(() => void look(), everyMs).unref();
    this.#timer = schedule();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #look(serve: (pair: Pair) => void): Promise<void> {
    try {
      const stamp = stampOf(this.#files);
      if (stamp !== this.#stamp || this.#isRenewalDue()) await this.#renew(stamp, serve);
    } catch (error) {
      this.#failures.error(
        'certificate',
        { reason: (error as Error).message },
        'the renewed certificate cannot be used: the one before is still served',
      );
    }
    this.#warn();
  }

  async #renew(stamp: string, serve: (pair: Pair) => void): Promise<void> {
    const { log } = this.#options;
    const pair = (await load(this.#options))!;
    this.#stamp = stamp;
    if (pair.cert === this.#pair.cert && pair.key === this.#pair.key) return;
    serve(pair);
    this.#pair = pair;
    this.#certificate = new X509Certificate(pair.cert);
    this.#warnedMs = -Infinity;
    const { serialNumber: serial, validTo: expires } = this.#certificate;
    this.#failures.recovered('certificate', {}, 'the renewed certificate can be used');
    log.info({ serial, expires }, 'a renewed certificate is served');
  }

  #isRenewalDue(): boolean {
    const { config, clock } = this.#options;
    return config.tls === 'auto' && this.#expiresMs() - clock() <= RENEW_BEFORE_MS;
  }

  #expiresMs(): number {
    return Date.parse(this.#certificate.validTo);
  }

  #warn(): void {
    const { log, clock } = this.#options;
    const nowMs = clock();
    if (nowMs - this.#warnedMs < DAY_MS) return;
    const { validFrom, validTo: expires } = this.#certificate;
    const days = this.facts.daysLeft();
    const facts = { file: this.#files[0], expires, days };
    if (days < 0) log.error(facts, 'the certificate has expired: clients refuse to connect');
    else if (Date.parse(validFrom) > nowMs) {
      log.error({ ...facts, validFrom }, 'the certificate is not valid yet: check the clock');
    } else if (days <= WARN_FROM_DAYS) {
      log.warn(facts, 'the certificate expires soon: renew it');
    } else return;
    this.#warnedMs = nowMs;
  }
}

/** A database file has one server. Instances on a database server may share the folder and start together. */
function load({
  config,
  folder,
  database,
  log,
  clock,
}: CertificateOptions): Promise<Pair | undefined> {
  if (config.databaseUrl === '') return loadCertificate(config, folder, clock(), { log });
  const exclusively: Exclusively = (work) =>
    database.transaction(async (tx) => {
      await tx.lock('certificate');
      return work();
    });
  return loadCertificate(config, folder, clock(), { log, exclusively });
}

/** Changes when a file is replaced or written to. Links are followed. */
function stampOf(files: readonly string[]): string {
  return files
    .map((file) => statSync(file, { throwIfNoEntry: false }))
    .map((stat) => (stat ? `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeMs}` : 'none'))
    .join();
}
