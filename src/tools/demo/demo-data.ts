import { invoke } from '../../kernel/call/invoke.ts';
import type { Role } from '../../kernel/declare/caller.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { createAffiliate } from '../../modules/affiliates/index.ts';
import { createKey } from '../../modules/keys/index.ts';
import { createApplicationPassword } from '../../modules/passwords/index.ts';
import { changeSettings } from '../../modules/settings/index.ts';
import { createUser, hashPassword } from '../../modules/users/index.ts';
import { randomBase62 } from '../../shared/secrets.ts';
import type { DemoClock } from './demo-clock.ts';
import type { DemoPartners } from './demo-partners.ts';
import { DEMO_OPENED_DAYS_AGO, fillDemoStore, type DemoCounts } from './demo-store.ts';

export interface DemoAccess {
  people: { login: string; role: Role; password: string }[];
  adminKey: string;
  affiliateKey: string;
  adminPassword: string;
  made: DemoCounts;
}

/** Long enough for the portal to show commissions on hold beside those that can be withdrawn. */
const HOLD_DAYS = 7;

const PEOPLE: { login: string; name: string; role: Role }[] = [
  { login: 'admin', name: 'Ada Adeyemi', role: 'administrator' },
  { login: 'marcus', name: 'Marcus Lindqvist', role: 'manager' },
  { login: 'maya', name: 'Maya Okafor', role: 'affiliate' },
  { login: 'tomas', name: 'Tomás Herrera', role: 'affiliate' },
  { login: 'yuki', name: 'Yuki Tanaka', role: 'affiliate' },
  { login: 'carla', name: 'Carla Rossi', role: 'customer' },
];

/**
 * Creates the same people, coupons and orders every time. Passwords and keys are random, so that none is
 * a default.
 */
export async function fillDemo(
  site: Site,
  clock: DemoClock,
  partners: DemoPartners,
): Promise<DemoAccess> {
  clock.moveTo(DEMO_OPENED_DAYS_AGO);
  const ids = new Map<string, number>();
  const people: DemoAccess['people'] = [];
  for (const { login, name, role } of PEOPLE) {
    const password = randomBase62(16);
    ids.set(login, await createPerson(site, { login, name, role, password }));
    people.push({ login, role, password });
  }
  await invoke(site, changeSettings, {
    'site.name': 'Willow & Wick Candles',
    'commission.delay_days': HOLD_DAYS,
  });
  const affiliates = PEOPLE.filter(({ role }) => role === 'affiliate').map(({ login, name }) => ({
    id: ids.get(login)!,
    name,
  }));
  const made = await fillDemoStore(site, affiliates, { clock, partners });
  clock.run();
  const key = async (login: string, scopes: string, description: string) =>
    (
      await invoke<{ token: string }>(site, createKey, {
        user_id: ids.get(login),
        scopes,
        description,
      })
    ).token;
  return {
    people,
    adminKey: await key('admin', 'read,write,manage', 'Demo: everything'),
    affiliateKey: await key('maya', 'read', 'Demo: an affiliate reading its own'),
    adminPassword: (await createApplicationPassword(site, ids.get('admin')!, 'Demo')).password,
    made,
  };
}

async function createPerson(
  site: Site,
  { login, name, role, password }: (typeof PEOPLE)[number] & { password: string },
): Promise<number> {
  const person = { login, email: `${login}@demo.example`, display_name: name };
  if (role === 'affiliate') {
    return (await invoke<{ id: number }>(site, createAffiliate, { ...person, password })).id;
  }
  const passwordHash = await hashPassword(password);
  const user = await site.database.transaction((tx) =>
    createUser(tx, site, { ...person, role, passwordHash }),
  );
  return user.id;
}
