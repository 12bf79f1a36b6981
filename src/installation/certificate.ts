import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import { ConfigError, type Config } from './config.ts';
import { writeSecretFile, type DataFolder } from './data-folder.ts';

const VALID_DAYS = 397;
export const RENEW_BEFORE_MS = 30 * 24 * 60 * 60_000;

export interface Pair {
  key: string;
  cert: string;
}

/** Key and certificate to serve with; undefined where a proxy does it. */
export async function loadCertificate(
  config: Config,
  folder: DataFolder,
  nowMs = Date.now(),
): Promise<Pair | undefined> {
  if (config.tls === 'off') return undefined;
  if (config.tls === 'files') {
    return readPair(
      config.tlsCert,
      config.tlsKey,
      'Give the right files with --tls-cert and --tls-key.',
    );
  }
  const names = namesFor(config);
  if (!isUsable(folder, names, nowMs)) await makeCertificate(folder, names, nowMs);
  return readOwnPair(folder);
}

function readOwnPair({ certificateFile, certificateKeyFile }: DataFolder): Pair {
  return readPair(
    certificateFile,
    certificateKeyFile,
    `Remove both (rm ${certificateFile} ${certificateKeyFile}), and the next start makes new ones.`,
  );
}

/** Refuses what would be served and answer no handshake: an empty file, a damaged one, a key of another. */
function readPair(certFile: string, keyFile: string, wayOut: string): Pair {
  const refuse = (problem: string) => new ConfigError(`${problem} ${wayOut}`);
  const pem = { key: readPem(keyFile), cert: readPem(certFile) };
  const certificate = parsed(() => new X509Certificate(pem.cert));
  if (!certificate) throw refuse(`${certFile} is empty, damaged or no certificate in PEM format.`);
  const key = parsed(() => createPrivateKey(pem.key));
  if (!key) {
    throw refuse(`${keyFile} is empty, damaged, encrypted or no private key in PEM format.`);
  }
  if (!certificate.checkPrivateKey(key)) {
    throw refuse(`${keyFile} is not the private key of the certificate ${certFile}.`);
  }
  try {
    createSecureContext(pem);
  } catch (error) {
    throw refuse(`${certFile} and ${keyFile} cannot be served: ${(error as Error).message}.`);
  }
  return pem;
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

/** This machine under its usual names, and under the one it is to be reached at. */
function namesFor(config: Config): string[] {
  const publicHost = config.publicUrl === '' ? '' : new URL(config.publicUrl).hostname;
  const host = ['0.0.0.0', '::'].includes(config.host) ? '' : config.host;
  return [...new Set(['localhost', '127.0.0.1', '::1', publicHost, host].filter(Boolean))];
}

function isUsable(folder: DataFolder, names: string[], nowMs: number): boolean {
  if (!existsSync(folder.certificateFile) || !existsSync(folder.certificateKeyFile)) return false;
  const certificate = new X509Certificate(readOwnPair(folder).cert);
  const expiresMs = Date.parse(certificate.validTo);
  return (
    expiresMs - nowMs > RENEW_BEFORE_MS &&
    names.every((name) => (isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name)))
  );
}

async function makeCertificate(folder: DataFolder, names: string[], nowMs: number): Promise<void> {
  // Loaded only when needed: it is half of the start-up time.
  const { default: selfsigned } = await import('selfsigned');
  const altNames = names.map((name) =>
    isIP(name) ? { type: 7 as const, ip: name } : { type: 2 as const, value: name },
  );
  const made = await selfsigned.generate(
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
  // Each is whole from its first moment on, whenever the machine stops.
  const drafts = [`${folder.certificateKeyFile}.new`, `${folder.certificateFile}.new`] as const;
  for (const draft of drafts) rmSync(draft, { force: true });
  writeSecretFile(drafts[0], made.private);
  writeFileSync(drafts[1], made.cert, { mode: 0o644 });
  renameSync(drafts[0], folder.certificateKeyFile);
  renameSync(drafts[1], folder.certificateFile);
}
