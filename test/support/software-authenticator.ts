import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

interface Ceremony {
  challenge: string;
  origin: string;
  rpId: string;
}

/** A passkey in memory (ES256), which answers like a browser. Tests change what it says. */
export class SoftwareAuthenticator {
  readonly credentialId = randomBytes(16);
  counter = 0;
  isUserVerified = true;
  userHandle: string | undefined;
  readonly #privateKey: KeyObject;
  readonly #publicKey: { x?: string; y?: string };

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#privateKey = privateKey;
    this.#publicKey = publicKey.export({ format: 'jwk' });
  }

  /** What `navigator.credentials.create` returns, without attestation. */
  create(ceremony: Ceremony) {
    const coordinate = (value: string) => cborBytes(Buffer.from(value, 'base64url'));
    const publicKey = cborMap([
      [cborInt(1), cborInt(2)],
      [cborInt(3), cborInt(-7)],
      [cborInt(-1), cborInt(1)],
      [cborInt(-2), coordinate(this.#publicKey.x!)],
      [cborInt(-3), coordinate(this.#publicKey.y!)],
    ]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.credentialId.length);
    const credential = Buffer.concat([Buffer.alloc(16), length, this.credentialId, publicKey]);
    const attestation = cborMap([
      [cborText('fmt'), cborText('none')],
      [cborText('attStmt'), cborMap([])],
      [cborText('authData'), cborBytes(this.#data(ceremony.rpId, HAS_CREDENTIAL, credential))],
    ]);
    return {
      id: this.credentialId.toString('base64url'),
      type: 'public-key',
      response: {
        clientDataJSON: clientData('webauthn.create', ceremony).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  /** What `navigator.credentials.get` returns. */
  get(ceremony: Ceremony) {
    const authenticatorData = this.#data(ceremony.rpId, 0);
    const json = clientData('webauthn.get', ceremony);
    const signed = Buffer.concat([authenticatorData, sha256(json)]);
    return {
      id: this.credentialId.toString('base64url'),
      type: 'public-key',
      response: {
        clientDataJSON: json.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: sign('sha256', signed, this.#privateKey).toString('base64url'),
        ...(this.userHandle !== undefined && { userHandle: this.userHandle }),
      },
    };
  }

  #data(rpId: string, flags: number, credential = Buffer.alloc(0)): Buffer {
    const verified = this.isUserVerified ? USER_VERIFIED : 0;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const flag = Buffer.from([USER_PRESENT | verified | flags]);
    return Buffer.concat([sha256(rpId), flag, counter, credential]);
  }
}

function clientData(type: string, { challenge, origin }: Ceremony): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}

/** The head of a CBOR item: its major type and a length or value below 65,536. */
function cborHead(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 0xff]);
}

const cborInt = (value: number) => (value < 0 ? cborHead(1, -1 - value) : cborHead(0, value));
const cborBytes = (value: Buffer) => Buffer.concat([cborHead(2, value.length), value]);
const cborText = (value: string) => Buffer.concat([cborHead(3, value.length), Buffer.from(value)]);
const cborMap = (entries: [Buffer, Buffer][]) =>
  Buffer.concat([cborHead(5, entries.length), ...entries.flat()]);
