import { invoke } from '../kernel/invoke.ts';
import type { Site } from '../kernel/site.ts';
import { changeRegistrationStatus } from '../modules/registrations/change-registration-status.ts';
import { submitRegistration } from '../modules/registrations/submit-registration.ts';

interface DemoApplication {
  readonly first: string;
  readonly last: string;
  readonly promote: string;
  /** Without a decision it waits. */
  readonly decision?: { status: 'accepted' | 'declined'; message: string };
}

const APPLICATIONS: readonly DemoApplication[] = [
  {
    first: 'Ingrid',
    last: 'Solberg',
    promote: 'A newsletter about slow living, 8,000 readers.',
    decision: { status: 'accepted', message: 'Welcome! Your readers will like the winter range.' },
  },
  {
    first: 'Deal',
    last: 'Hunter',
    promote: 'Coupon pages for every shop there is.',
    decision: { status: 'declined', message: 'We do not work with coupon pages.' },
  },
  { first: 'Meera', last: 'Raman', promote: 'Video reviews of candles and lamps.' },
  { first: 'Oskar', last: 'Lind', promote: 'A blog on small apartments.' },
  { first: 'Chiara', last: 'Greco', promote: 'Photographs of tables, 20,000 followers.' },
];

export const ACCEPTED_APPLICATIONS = APPLICATIONS.filter(
  ({ decision }) => decision?.status === 'accepted',
).length;

/** Applications in each state: accepted, declined, and some that wait for a decision. */
export async function applyToDemo(site: Site): Promise<void> {
  for (const { first, last, promote, decision } of APPLICATIONS) {
    const login = first.toLowerCase();
    const { id } = await invoke<{ id: number }>(site, submitRegistration, {
      login,
      email: `${login}@demo.example`,
      display_name: `${first} ${last}`,
      website: `https://${login}.example`,
      promote,
    });
    if (decision) await invoke(site, changeRegistrationStatus, { id, ...decision });
  }
}
