import type { User } from './generated/schemas.ts';
import type { CallOptions, Transport } from './transport.ts';

/** The signed-in user. */
export interface Session {
  user: User;
  role: 'administrator' | 'manager' | 'affiliate' | 'customer';
  csrf_token: string;
}

/** Proof by a passkey, as `navigator.credentials.get` and its JSON form give it. */
export type PasskeyResponse = object;

/** A password, the second step after it, or a passkey alone. */
export type SignIn =
  | { login: string; password: string; code?: string }
  | { sign_in_token: string; code: string }
  | { sign_in_token: string; passkey: PasskeyResponse }
  | { passkey: PasskeyResponse };

/** What proves that the person at the screen is the signed-in one. */
export type Proof = { password: string } | { code: string } | { passkey: PasskeyResponse };

/** Sign-in and sign-out of a browser. Only for clients with `session: true`. */
export interface SessionResource {
  /** The signed-in user; `svc_api_unauthorized` (401) without a session. */
  get(options?: CallOptions): Promise<Session>;
  /** Signs in. An account with two factors answers `svc_api_second_factor_required` to a password alone. */
  signIn(input: SignIn, options?: CallOptions): Promise<Session>;
  signOut(options?: CallOptions): Promise<void>;
  /** Renews the proof that calls refuse with `svc_api_proof_required` when it is too old. */
  prove(input: Proof, options?: CallOptions): Promise<{ proved_until: string }>;
  /** Options for `navigator.credentials.get` to sign in with a passkey. */
  passkeyOptions(options?: CallOptions): Promise<Record<string, unknown>>;
}

export function sessionOf(transport: Transport): SessionResource {
  const call = async <T>(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    input: object | undefined,
    options: CallOptions | undefined,
  ): Promise<T> => (await transport.json<T>({ method, path, input, options })).body;
  const opened = (session: Session) => {
    transport.setCsrfToken(session.csrf_token);
    return session;
  };
  return {
    get: async (options) => opened(await call('GET', '/session', undefined, options)),
    signIn: async (input, options) => opened(await call('POST', '/session', input, options)),
    async signOut(options) {
      await call('DELETE', '/session', undefined, options);
      transport.setCsrfToken(undefined);
    },
    prove: (input, options) => call('POST', '/session/proof', input, options),
    passkeyOptions: (options) => call('POST', '/session/passkey-options', {}, options),
  };
}
