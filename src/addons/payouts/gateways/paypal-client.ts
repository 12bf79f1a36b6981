import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { answeredOtherwise, callJson, isRefusal, NoAnswer, type Answer } from './exchange.ts';

export interface PayPalCredentials {
  clientId: string;
  secret: string;
  url: string;
}

/** PayPal did not accept the credentials: nothing was asked of it. */
export class CredentialsRefused extends NoAnswer {
  override name = 'CredentialsRefused';

  constructor() {
    super('it refused the credentials', 'credentials');
  }
}

export interface PayPalRequest {
  path: string;
  body?: object;
  headers?: Record<string, string>;
  signal: AbortSignal;
}

interface Token {
  text: string;
  /** Whose it is: other credentials need another one. */
  credentials: string;
  untilMs: number;
}

const TokenAnswer = Compile(
  Type.Object({
    access_token: Type.String({ pattern: '^[!-~]+$' }),
    expires_in: Type.Number({ minimum: 0 }),
  }),
);

/** A token is not used in its last minute: it might end on the way. */
const MARGIN_MS = 60_000;

/** Signs in when it must and keeps the token for as long as PayPal says. */
export class PayPalClient {
  #token: Token | undefined;
  readonly #monotonic: () => number;

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** Gets a token where there is none that still serves. */
  async signIn(credentials: PayPalCredentials, signal: AbortSignal): Promise<void> {
    await this.#tokenFor(credentials, signal);
  }

  async call(credentials: PayPalCredentials, request: PayPalRequest): Promise<Answer> {
    const answer = await this.#callWithToken(credentials, request);
    if (answer.status !== 401) return answer;
    // PayPal may end a token early: a new one settles whether it is that.
    this.#token = undefined;
    const again = await this.#callWithToken(credentials, request);
    if (again.status === 401) throw new CredentialsRefused();
    return again;
  }

  async #callWithToken(credentials: PayPalCredentials, request: PayPalRequest): Promise<Answer> {
    const token = await this.#tokenFor(credentials, request.signal);
    return callJson({
      url: credentials.url + request.path,
      headers: { ...request.headers, authorization: `Bearer ${token}` },
      ...(request.body && { body: request.body }),
      signal: request.signal,
    });
  }

  async #tokenFor(credentials: PayPalCredentials, signal: AbortSignal): Promise<string> {
    const { clientId, secret, url } = credentials;
    const whose = JSON.stringify([clientId, secret, url]);
    const kept = this.#token;
    if (kept && kept.credentials === whose && kept.untilMs > this.#monotonic()) return kept.text;
    const basic = Buffer.from(`${clientId}:${secret}`).toString('base64');
    const { status, body } = await callJson({
      url: `${url}/v1/oauth2/token`,
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
      signal,
    });
    if (isRefusal(status)) throw new CredentialsRefused();
    if (status !== 200 || !TokenAnswer.Check(body)) {
      throw answeredOtherwise(status);
    }
    const untilMs = this.#monotonic() + body.expires_in * 1000 - MARGIN_MS;
    this.#token = { text: body.access_token, credentials: whose, untilMs };
    return body.access_token;
  }
}
