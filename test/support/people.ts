import type { Role } from '../../src/kernel/declare/caller.ts';

/** The users of every test app, with the ids 1 to 5 in this order. */
export const people: { login: string; role: Role }[] = [
  { login: 'admin', role: 'administrator' },
  { login: 'manager', role: 'manager' },
  { login: 'maya', role: 'affiliate' },
  { login: 'tomas', role: 'affiliate' },
  { login: 'carla', role: 'customer' },
];

export const idOf = (login: string): number => people.findIndex((p) => p.login === login) + 1;
