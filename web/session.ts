import { computed, signal } from '@preact/signals';
import { TributaryError, type Account, type Me, type Program } from '../sdk/src/index.ts';
import { api, showOnly } from './api.ts';
import { viewedId } from './view-as.ts';

/** The signed-in person and the program. Loaded before anything is shown. */
export interface Session {
  readonly me: Me;
  readonly account: Account;
  readonly program: Program;
  /** A member of the team looks at the portal of this affiliate, and can change nothing. */
  readonly isView: boolean;
}

const current = signal<Session | undefined>(undefined);

/** For components, which are rendered after the session was loaded. */
export function useSession(): Session {
  return current.value!;
}

/** After a change of the profile. */
export function replaceAccount(account: Account): void {
  current.value = { ...current.value!, account };
}

/** After a change whose answer is not the account itself. */
export async function reloadAccount(): Promise<void> {
  replaceAccount(await api.account.get());
}

/** After a change of settings. */
export async function reloadProgram(): Promise<void> {
  current.value = { ...current.value!, program: await api.program.get() };
}

/** The program, for functions that format amounts and dates. */
export const program = computed(() => current.value?.program);

/** A suspended affiliate can read everything and change nothing. */
export const isSuspended = computed(() => current.value?.account.affiliate_status === 'suspended');

/** The session, or undefined while the browser is on its way to the sign-in page. */
export async function loadSession(): Promise<Session | undefined> {
  try {
    const [me, account, about] = await Promise.all([
      api.me.get(),
      api.account.get(),
      api.program.get(),
    ]);
    showOnly(me.user.id);
    if (viewedId !== undefined && !me.is_admin) {
      location.replace('/app');
      return undefined;
    }
    const own = { me, account, program: about, isView: false };
    current.value = viewedId === undefined ? own : await viewOf(viewedId, own);
    return current.value;
  } catch (error) {
    if (!(error instanceof TributaryError) || error.status !== 401) throw error;
    location.replace(signInPath());
    return undefined;
  }
}

/** The session as the affiliate would have it, for members of the team who look at its portal. */
async function viewOf(id: number, { me, account, program: about }: Session): Promise<Session> {
  const { user, coupons, status } = await api.affiliates.get(id);
  return {
    me: { ...me, user, coupons, role: 'affiliate', is_affiliate: true, is_admin: false },
    account: { ...account, user, role: 'affiliate', is_affiliate: true, affiliate_status: status },
    program: about,
    isView: true,
  };
}

let channel: BroadcastChannel | undefined;
/** Between the tabs of a browser, which share a session. A tab does not hear itself. */
const signOuts = () => (channel ??= new BroadcastChannel('sign-out'));

export async function signOut(): Promise<void> {
  await api.session.signOut();
  signOuts().postMessage(null);
  location.assign('/app/login');
}

/** Calls back when the person has signed out in another tab: nothing of theirs stays on a shared screen. */
export function onSignOutElsewhere(leave: () => void): void {
  signOuts().addEventListener('message', leave);
}

export function signInPath(): string {
  return `/app/login?next=${encodeURIComponent(location.pathname + location.search)}`;
}
