import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { Log } from '../kernel/declare/log.ts';
import { reasonOf } from '../shared/file-errors.ts';
import { ConfigError, type Config } from './config.ts';
import { writeSecretFile, type DataFolder } from './data-folder.ts';

const VALID_DAYS = 397;
export const RENEW_BEFORE_MS = 30 * 24 * 60 * 60_000;

export interface Pair {
  key: string;
  cert: string;
}

/** Runs the work while no other instance runs its own. */
export type Exclusively = <T>(work: () => T) => Promise<T>;

interface LoadOptions {
  readonly log?: Log;
  readonly exclusively?: Exclusively;
}

/**
 * The key and certificate to serve; undefined if a proxy serves them. Instances may share the folder:
 * they read and replace its files exclusively. A new certificate is generated outside of that section,
 * because generating takes long.
 */
export async function loadCertificate(
  config: Config,
  folder: DataFolder,
  nowMs = Date.now(),
  { log, exclusively = async (work) => work() }: LoadOptions = {},
): Promise<Pair | undefined> {
  if (config.tls === 'off') return undefined;
  if (config.tls === 'files') {
    const { pair, problem } = readPair(config.tlsCert, config.tlsKey);
    if (problem === undefined) return pair;
    throw new ConfigError(`${problem} Give the right files with --tls-cert and --tls-key.`);
  }
  const names = namesFor(config);
  const { usable, problem } = await exclusively(() => readOwnPair(folder, names, nowMs));
  if (usable) return usable;
  if (problem) log?.warn({ reason: problem }, 'the self-signed certificate is made again');
  const generated = await generatePair(names, nowMs);
  return exclusively(() => {
    // Another instance may have been faster.
    const found = readOwnPair(folder, names, nowMs).usable;
    if (found) return found;
    writePair(folder, generated);
    return generated;
  });
}

/** A full disk or a power cut can leave a pair of our own empty or cut off. Nothing is lost with it. */
function readOwnPair(
  { certificateFile, certificateKeyFile }: DataFolder,
  names: readonly string[],
  nowMs: number,
): { usable?: Pair; problem?: string } {
  if (!existsSync(certificateFile) || !existsSync(certificateKeyFile)) return {};
  const { pair, problem } = readPair(certificateFile, certificateKeyFile);
  if (problem !== undefined) return { problem };
  return isServable(pair, names, nowMs) ? { usable: pair } : {};
}

/** Reads a pair, and says why it would fail every handshake: a file is empty or damaged, or the key does not match. */
function readPair(certFile: string, keyFile: string): { pair: Pair; problem?: string } {
  const pair = { key: readPem(keyFile), cert: readPem(certFile) };
  const unusable = (problem: string) => ({ pair, problem });
  const certificate = parsed(() => new X509Certificate(pair.cert));
  if (!certificate)
    return unusable(`${certFile} is empty, damaged or no certificate in PEM format.`);
  const key = parsed(() => createPrivateKey(pair.key));
  if (!key) {
    return unusable(`${keyFile} is empty, damaged, encrypted or no private key in PEM format.`);
  }
  if (!certificate.checkPrivateKey(key)) {
    return unusable(`${keyFile} is not the private key of the certificate ${certFile}.`);
  }
  try {
    createSecureContext(pair);
  } catch (error) {
    return unusable(`${certFile} and ${keyFile} cannot be served: ${(error as Error).message}.`);
  }
  return { pair };
}

function parsed<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

function readPem(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(`The TLS file ${file} cannot be read: ${(error as Error).message}.`);
  }
}

/** The usual names of this machine, and the host of the public address. */
function namesFor(config: Config): string[] {
  const publicHost = config.publicUrl === '' ? '' : new URL(config.publicUrl).hostname;
  const host = ['0.0.0.0', '::'].includes(config.host) ? '' : config.host;
  return [...new Set(['localhost', '127.0.0.1', '::1', publicHost, host].filter(Boolean))];
}

function isServable({ cert }: Pair, names: readonly string[], nowMs: number): boolean {
  const certificate = new X509Certificate(cert);
  const expiresMs = Date.parse(certificate.validTo);
  return (
    expiresMs - nowMs > RENEW_BEFORE_MS &&
    names.every((name) => (isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name)))
  );
}

async function generatePair(names: string[], nowMs: number): Promise<Pair> {
  // Imported on demand, because loading it is half of the start-up time.
  const { default: selfsigned } = await import('selfsigned');
  const altNames = names.map((name) =>
    isIP(name) ? { type: 7 as const, ip: name } : { type: 2 as const, value: name },
  );
  const generated = await selfsigned.generate(
    [{ name: 'commonName', value: 'Tributary on this machine' }],
    {
      keyType: 'ec',
      curve: 'P-256',
      algorithm: 'sha256',
      notBeforeDate: new Date(nowMs - 60 * 60_000),
      notAfterDate: new Date(nowMs + VALID_DAYS * 24 * 60 * 60_000),
      extensions: [
        { name: 'basicConstraints', cA: false, critical: true },
        { name: 'keyUsage', digitalSignature: true, critical: true },
        { name: 'extKeyUsage', serverAuth: true },
        { name: 'subjectAltName', altNames },
      ],
    },
  );
  return { key: generated.private, cert: generated.cert };
}

/** Renames complete files, so that neither is ever half written, even after a power failure. */
function writePair(folder: DataFolder, { key, cert }: Pair): void {
  const drafts = [`${folder.certificateKeyFile}.new`, `${folder.certificateFile}.new`] as const;
  try {
    for (const draft of drafts) rmSync(draft, { force: true });
    writeSecretFile(drafts[0], key);
    writeFileSync(drafts[1], cert, { mode: 0o644, flush: true });
    renameSync(drafts[0], folder.certificateKeyFile);
    renameSync(drafts[1], folder.certificateFile);
  } catch (error) {
    throw new ConfigError(
      `The certificate ${folder.certificateFile} cannot be written: ${reasonOf(error)}. ` +
        'Free some space or repair the folder, and start again.',
    );
  }
}
