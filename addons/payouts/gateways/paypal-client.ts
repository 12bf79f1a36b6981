import Type from 'typebox';
import { Compile } from 'typebox/compile';
import {
  unexpectedStatus,
  callJson,
  isRefusal,
  NoAnswer,
  type GatewayResponse,
} from './gateway-http.ts';

export interface PayPalCredentials {
  clientId: string;
  secret: string;
  url: string;
}

/** PayPal did not accept the credentials, so no request was carried out. */
export class CredentialsRefused extends NoAnswer {
  override name = 'CredentialsRefused';

  constructor() {
    super('it rejected the credentials', 'credentials');
  }
}

export interface PayPalRequest {
  path: string;
  body?: object;
  signal: AbortSignal;
}

interface Token {
  text: string;
  /** The credentials it was issued for: others need another token. */
  credentials: string;
  untilMs: number;
}

const TokenAnswer = Compile(
  Type.Object({
    access_token: Type.String({ pattern: '^[!-~]+$' }),
    expires_in: Type.Number({ minimum: 0 }),
  }),
);

/** A token is not used in its last minute, because it might expire before the request arrives. */
const MARGIN_MS = 60_000;

/** Signs in on demand and caches the token until PayPal's expiry. */
export class PayPalClient {
  #token: Token | undefined;
  readonly #monotonic: () => number;

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** Fetches a token if there is no valid one. */
  async signIn(credentials: PayPalCredentials, signal: AbortSignal): Promise<void> {
    await this.#tokenFor(credentials, signal);
  }

  async call(credentials: PayPalCredentials, request: PayPalRequest): Promise<GatewayResponse> {
    const answer = await this.#callWithToken(credentials, request);
    if (answer.status !== 401) return answer;
    // PayPal may revoke a token early. If a new one is refused too, the credentials are wrong.
    this.#token = undefined;
    const again = await this.#callWithToken(credentials, request);
    if (again.status === 401) throw new CredentialsRefused();
    return again;
  }

  async #callWithToken(
    credentials: PayPalCredentials,
    request: PayPalRequest,
  ): Promise<GatewayResponse> {
    const token = await this.#tokenFor(credentials, request.signal);
    return callJson({
      url: credentials.url + request.path,
      headers: { authorization: `Bearer ${token}` },
      ...(request.body && { body: request.body }),
      signal: request.signal,
    });
  }

  async #tokenFor(credentials: PayPalCredentials, signal: AbortSignal): Promise<string> {
    const { clientId, secret, url } = credentials;
    const key = JSON.stringify([clientId, secret, url]);
    const cached = this.#token;
    if (cached?.credentials === key && cached.untilMs > this.#monotonic()) return cached.text;
    const basic = Buffer.from(`${clientId}:${secret}`).toString('base64');
    const { status, body } = await callJson({
      url: `${url}/v1/oauth2/token`,
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
      signal,
    });
    if (isRefusal(status)) throw new CredentialsRefused();
    if (status !== 200 || !TokenAnswer.Check(body)) {
      throw unexpectedStatus(status);
    }
    const untilMs = this.#monotonic() + body.expires_in * 1000 - MARGIN_MS;
    this.#token = { text: body.access_token, credentials: key, untilMs };
    return body.access_token;
  }
}
