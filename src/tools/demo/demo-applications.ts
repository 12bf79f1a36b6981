import { invoke } from '../../kernel/call/invoke.ts';
import type { Happening } from '../../kernel/declare/demo.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { changeRegistrationStatus } from '../../modules/registrations/change-registration-status.ts';
import { submitRegistration } from '../../modules/registrations/submit-registration.ts';

interface DemoApplication {
  readonly first: string;
  readonly last: string;
  readonly promote: string;
  readonly daysAgo: number;
  /** Without a decision it stays pending. */
  readonly decision?: { daysAgo: number; status: 'accepted' | 'declined'; message: string };
}

const APPLICATIONS: readonly DemoApplication[] = [
  {
    first: 'Ingrid',
    last: 'Solberg',
    promote: 'A newsletter about slow living, 8,000 readers.',
    daysAgo: 68,
    decision: {
      daysAgo: 66.2,
      status: 'accepted',
      message: 'Welcome! Your readers will like the winter range.',
    },
  },
  {
    first: 'Deal',
    last: 'Hunter',
    promote: 'Coupon pages for every shop there is.',
    daysAgo: 35,
    decision: {
      daysAgo: 34.6,
      status: 'declined',
      message: 'We do not work with coupon pages.',
    },
  },
  {
    first: 'Meera',
    last: 'Raman',
    promote: 'Video reviews of candles and lamps.',
    daysAgo: 9.3,
  },
  { first: 'Oskar', last: 'Lind', promote: 'A blog on small apartments.', daysAgo: 3.1 },
  {
    first: 'Chiara',
    last: 'Greco',
    promote: 'Photographs of tables, 20,000 followers.',
    daysAgo: 0.01,
  },
];

export const ACCEPTED_APPLICATIONS = APPLICATIONS.filter(
  ({ decision }) => decision?.status === 'accepted',
).length;

/** Applications in each state: accepted, declined and pending. */
export function applicationHappenings(site: Site): Happening[] {
  return APPLICATIONS.flatMap(({ first, last, promote, daysAgo, decision }) => {
    const login = first.toLowerCase();
    let id: number | undefined;
    const apply = async () => {
      ({ id } = await invoke<{ id: number }>(site, submitRegistration, {
        login,
        email: `${login}@${login}.example`,
        display_name: `${first} ${last}`,
        website: `https://${login}.example`,
        promote,
        // A random code would make every demo different.
        coupon_code: `${login}10`,
      }));
    };
    const applied = { daysAgo, happen: apply };
    if (!decision) return [applied];
    const { status, message } = decision;
    const decide = () => invoke(site, changeRegistrationStatus, { id, status, message });
    return [applied, { daysAgo: decision.daysAgo, happen: decide }];
  });
}
