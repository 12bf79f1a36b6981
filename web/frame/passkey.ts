import { GivenUp } from '../act.ts';
import { api } from '../api.ts';
import { loadPart } from '../new-version.ts';

const loadWebAuthn = () => loadPart(() => import('@simplewebauthn/browser'));

/** Lets the browser ask for a passkey, and returns what it answers. */
export async function passkeyAnswer(): Promise<object> {
  const [options, { startAuthentication }] = await Promise.all([
    api.session.passkeyOptions(),
    loadWebAuthn(),
  ]);
  // The service sends what the Web Authentication API expects.
  const optionsJSON = options as unknown as Parameters<
    typeof startAuthentication
  >[0]['optionsJSON'];
  return unlessClosed(startAuthentication({ optionsJSON }));
}

/** Lets the browser create a passkey for options of the service. */
export async function newPasskey(options: object): Promise<object> {
  const { startRegistration } = await loadWebAuthn();
  const optionsJSON = options as Parameters<typeof startRegistration>[0]['optionsJSON'];
  const { id, type, response } = await unlessClosed(startRegistration({ optionsJSON }));
  // The browser gives more than the service accepts.
  const { clientDataJSON, attestationObject, transports } = response;
  return { id, type, response: { clientDataJSON, attestationObject, transports } };
}

/** A person who closes the browser's dialog has changed their mind. */
async function unlessClosed<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Error && error.name === 'NotAllowedError') throw new GivenUp();
    throw error;
  }
}
