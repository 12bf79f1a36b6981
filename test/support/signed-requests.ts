import { createHash, createHmac } from 'node:crypto';

/** A request as a server receives it. */
interface ReceivedRequest {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly url: string;
  /** With names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request,\s*SignedHeaders=([^,]+),\s*Signature=([0-9a-f]{64})$/;

/**
 * Whether a request has the signature (AWS Signature Version 4) of the owner of a key, written by the description of
 * the algorithm and not by the client that is tested.
 */
export function isSigned(
  { method, url, headers, body }: ReceivedRequest,
  { keyId, secret }: { keyId: string; secret: string },
): boolean {
  const [, id, day, region, service, names, signature] =
    AUTHORIZATION.exec(String(headers['authorization'])) ?? [];
  if (id !== keyId || !names!.split(';').includes('host')) return false;
  const hash = String(headers['x-amz-content-sha256']);
  // A client may leave the body unsigned: TLS protects it.
  if (hash !== 'UNSIGNED-PAYLOAD' && hash !== sha256(body)) return false;
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const query = [...searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join('&');
  const signed = names!.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const request = [method, pathname, query, signed.join(''), names, hash].join('\n');
  const time = String(headers['x-amz-date']);
  const scope = `${day}/${region}/${service}/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(request)].join('\n');
  const key = [day!, region!, service!, 'aws4_request'].reduce<string | Buffer>(
    (last, part) => hmac(last, part),
    `AWS4${secret}`,
  );
  return hmac(key, text).toString('hex') === signature;
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, data: string) =>
  createHmac('sha256', key).update(data).digest();
const encode = (text: string) =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
