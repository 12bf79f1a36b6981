import type { Session } from '../../sdk/src/index.ts';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';

/** Signs in with a passkey, alone or as the second step. See passkey-sign-in.tsx. */
const place = document.querySelector<HTMLElement>('#passkey-sign-in');
const button = place?.querySelector('button');
const message = place?.querySelector<HTMLElement>('[role=alert]');

if (place && button && message && 'PublicKeyCredential' in window) {
  place.hidden = false;
  const press = async () => {
    if (button.ariaBusy === 'true') return;
    button.ariaBusy = 'true';
    message.textContent = '';
    try {
      const { role } = await signIn(place.dataset['token']);
      location.assign(ownAddress(place.dataset['next'] ?? '', role));
    } catch (error) {
      button.ariaBusy = 'false';
      // A person who closes the browser's dialog has changed their mind.
      const isClosed = error instanceof Error && error.name === 'NotAllowedError';
      if (!isClosed) message.textContent = message.dataset['text'] ?? '';
    }
  };
  button.addEventListener('click', () => void press());
}

async function signIn(token: string | undefined): Promise<Session> {
  const [options, { startAuthentication }] = await Promise.all([
    post('/session/passkey-options', {}),
    import('@simplewebauthn/browser'),
  ]);
  // The service sends what the Web Authentication API expects.
  const optionsJSON = (await options.json()) as PublicKeyCredentialRequestOptionsJSON;
  const passkey = await startAuthentication({ optionsJSON });
  const body = token === undefined ? { passkey } : { sign_in_token: token, passkey };
  // The contract of `/session`.
  return (await (await post('/session', body)).json()) as Session;
}

async function post(path: string, body: object): Promise<Response> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response;
}

/** Never leads to another site, whatever the page says. The team of the store begins in the console. */
function ownAddress(path: string, role: Session['role']): string {
  const url = new URL(path, location.origin);
  if (url.origin === location.origin && url.pathname !== '/app') return url.href;
  return role === 'administrator' || role === 'manager' ? '/console' : '/app';
}
