import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import { ConfigError, type Config } from './config.ts';
import { writeSecretFile, type DataFolder } from './data-folder.ts';

const VALID_DAYS = 397;
const RENEW_BEFORE_MS = 30 * 24 * 60 * 60_000;

/** Key and certificate to serve with; undefined where a proxy does it. */
export async function loadCertificate(
  config: Config,
  folder: DataFolder,
): Promise<{ key: string; cert: string } | undefined> {
  if (config.tls === 'off') return undefined;
  if (config.tls === 'files') {
    return ownCertificate(config);
  }
  const names = namesFor(config);
  if (!isUsable(folder, names)) await makeCertificate(folder, names);
  return {
    key: readFileSync(folder.certificateKeyFile, 'utf8'),
    cert: readFileSync(folder.certificateFile, 'utf8'),
  };
}

function ownCertificate(config: Config): { key: string; cert: string } {
  const pem = { key: readPem(config.tlsKey), cert: readPem(config.tlsCert) };
  try {
    createSecureContext(pem);
  } catch (error) {
    throw new ConfigError(
      `${config.tlsCert} and ${config.tlsKey} are not a certificate and its private key in PEM ` +
        `format: ${(error as Error).message}.`,
    );
  }
  return pem;
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

function isUsable(folder: DataFolder, names: string[]): boolean {
  if (!existsSync(folder.certificateFile) || !existsSync(folder.certificateKeyFile)) return false;
  const certificate = new X509Certificate(readFileSync(folder.certificateFile));
  const expiresMs = Date.parse(certificate.validTo);
  return (
    expiresMs - Date.now() > RENEW_BEFORE_MS &&
    names.every((name) => (isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name)))
  );
}

async function makeCertificate(folder: DataFolder, names: string[]): Promise<void> {
  // Loaded only when needed: it is half of the start-up time.
  const { generate } = await import('selfsigned');
  const altNames = names.map((name) =>
    isIP(name) ? { type: 7 as const, ip: name } : { type: 2 as const, value: name },
  );
  const now = Date.now();
  const made = await generate([{ name: 'commonName', value: 'Tributary on this machine' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(now - 60 * 60_000),
    notAfterDate: new Date(now + VALID_DAYS * 24 * 60 * 60_000),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames },
    ],
  });
  rmSync(folder.certificateKeyFile, { force: true });
  writeSecretFile(folder.certificateKeyFile, made.private);
  writeFileSync(folder.certificateFile, made.cert, { mode: 0o644 });
}
