import { signal } from '@preact/signals';
import { Tributary } from '../sdk/src/index.ts';
import { markView } from './view-as.ts';

/** True from the moment a call answers that the session is over until the person has signed in again. */
export const isSignedOut = signal(false);

let shownPerson: number | undefined;

/** Whose data the screens show. If another tab signs in as another person, this page starts again. */
export function showOnly(userId: number): void {
  shownPerson = userId;
}

/** Every call of the web app goes through this client, with the session of the browser. */
export const api = new Tributary({
  url: '',
  session: true,
  // What shows data tries again by itself, and says so; see data.ts.
  retries: 1,
  timeout: 20_000,
  async fetch(input, init) {
    const isCall = String(input).startsWith('/svc/');
    const headers = new Headers(init?.headers);
    if (isCall) markView(headers);
    const response = await fetch(input, { ...init, headers });
    if (isCall && (await isRefusedSession(response))) {
      isSignedOut.value = true;
    }
    if (String(input) === '/session' && response.ok && !(await isSamePerson(response))) {
      location.replace(homePath());
      // The page is on its way out. A change of the other person's must not be made from it.
      return new Promise<Response>(() => {});
    }
    return response;
  },
});

/** Where the part of the web app begins that is open. */
export function homePath(): string {
  return location.pathname.startsWith('/console') ? '/console' : '/app';
}

/** A wrong password is answered with 401 as well, with another code. */
async function isRefusedSession(response: Response): Promise<boolean> {
  if (response.status !== 401) return false;
  return (await response.clone().text()).includes('"svc_api_unauthorized"');
}

/** Each change carries a token of its session; the client asks for another one here when it is refused. */
async function isSamePerson(response: Response): Promise<boolean> {
  const text = await response.clone().text();
  if (text === '' || shownPerson === undefined) return true;
  // The contract of `/session`. The answer to signing out names no user.
  const { user } = JSON.parse(text) as { user?: { id: number } };
  return user === undefined || user.id === shownPerson;
}

/**
 * Runs a change. If the session is over, the person is asked to sign in again in place; the change then goes
 * on, so that nothing of a form is lost. A call that was refused with 401 has changed nothing.
 */
export async function change<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!isSignedOut.peek()) throw error;
    await signedIn();
    return run();
  }
}

/** Resolves as soon as the person is signed in. */
function signedIn(): Promise<void> {
  return new Promise((resolve) => {
    const stop = isSignedOut.subscribe((isOut) => {
      if (isOut) return;
      resolve();
      queueMicrotask(() => stop());
    });
  });
}
