import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { resolveSchema } from '../src/kernel/call/input-readers.ts';
import { invoke } from '../src/kernel/call/invoke.ts';
import { scopes, type Role, type Scope } from '../src/kernel/declare/caller.ts';
import type { Operation } from '../src/kernel/declare/operation.ts';
import { changeAffiliate } from '../src/modules/affiliates/change-affiliate.ts';
import { createAffiliate } from '../src/modules/affiliates/create-affiliate.ts';
import { createKey } from '../src/modules/keys/index.ts';
import { revokeKey } from '../src/modules/keys/revoke-key.ts';
import { createApplicationPassword } from '../src/modules/passwords/index.ts';
import { csrfTokenOf, openSession } from '../src/modules/sessions/session.ts';
import {
  ACCESS_LIST,
  accessListText,
  readAccessList,
  type ListedAccess,
} from './support/access-list.ts';
import { feedHead } from './support/feed-head.ts';
import { idOf, openTestApp, type CallOptions, type Reply } from './support/harness.ts';
import { sampleOf } from './support/sample.ts';
import { withoutProof } from './support/without-proof.ts';

/**
 * Calls every operation as every kind of caller. The expected result follows from access-list.txt by the
 * rules of `expectedRefusal` below, which are independent of the program's own. A route whose declaration
 * differs from the list fails here, so that no route becomes public by mistake.
 */
const accessList = readAccessList();
const app = await openTestApp();

interface Kind {
  name: string;
  /** Credentials of the caller, created for every call if a call can end them. */
  credential: () => Promise<CallOptions>;
  by: 'nothing' | 'bad key' | 'key' | 'password' | 'session' | 'session without csrf';
  role?: Role;
  /** The scopes of a key. */
  scopes?: Scope[];
  suspended?: boolean;
  /** The last proof of identity of the session is old. */
  unproved?: boolean;
}

const kinds: Kind[] = [
  { name: 'anonymous', by: 'nothing', credential: async () => ({}) },
  badKey('made-up', 'svc_made_up'),
  badKey('revoked', await revokedKey()),
  badKey('expired', (await app.expiredKey('admin', [...scopes])).token),
  ...(await keysOf('maya', 'affiliate')),
  ...(await keysOf('manager', 'manager')),
  ...(await keysOf('admin', 'administrator')),
  await keyOf('tomas', 'affiliate', [...scopes]),
  await keyOf('carla', 'customer', [...scopes]),
  ...(await suspendedKinds()),
  ...signedIn('maya', 'affiliate'),
  ...signedIn('manager', 'manager'),
  ...signedIn('admin', 'administrator'),
  {
    name: 'admin, session with an old proof',
    by: 'session',
    role: 'administrator',
    unproved: true,
    credential: async () => ({
      session: await sessionOf(idOf('admin'), true, { isProved: false }),
    }),
  },
];

function badKey(name: string, key: string): Kind {
  return { name: `a ${name} key`, by: 'bad key', credential: async () => ({ key }) };
}

function keysOf(login: string, role: Role): Promise<Kind[]> {
  const sets = [...scopes.map((scope) => [scope]), [...scopes]];
  return Promise.all(sets.map((set) => keyOf(login, role, set)));
}

async function keyOf(login: string, role: Role, set: Scope[]): Promise<Kind> {
  const key = await app.key(login, set);
  const name = `${login}, key with ${set.join('+')}`;
  return { name, by: 'key', role, scopes: set, credential: async () => ({ key }) };
}

function signedIn(login: string, role: Role): Kind[] {
  return [
    {
      name: `${login}, application password`,
      by: 'password',
      role,
      credential: async () => ({ basic: await app.basic(login) }),
    },
    {
      name: `${login}, session`,
      by: 'session',
      role,
      credential: async () => ({ session: await sessionOf(idOf(login), true) }),
    },
    {
      name: `${login}, session without the CSRF header`,
      by: 'session without csrf',
      role,
      credential: async () => ({ session: await sessionOf(idOf(login), false) }),
    },
  ];
}

/** An affiliate that was suspended after its credentials were created and used. */
async function suspendedKinds(): Promise<Kind[]> {
  const { site } = app;
  const login = 'sina';
  const { id } = await invoke<{ id: number }>(site, createAffiliate, {
    login,
    email: 'sina@test.example',
    display_name: 'Sina',
  });
  const keys = await Promise.all(
    [[...scopes], ['read' as const]].map(async (set) => ({
      set,
      key: (await invoke<{ token: string }>(site, createKey, { user_id: id, scopes: set })).token,
    })),
  );
  const { password } = await createApplicationPassword(site, id, '');
  const basic = `${login}:${password}`;
  const session = await sessionOf(id, true);
  for (const credential of [{ key: keys[0]!.key }, { basic }, { session }]) {
    assert.equal((await app.call('/me', credential)).status, 200);
  }
  await invoke(site, changeAffiliate, { id, status: 'suspended' });
  const kind = (name: string, more: Omit<Kind, 'name' | 'role' | 'suspended'>): Kind => ({
    name: `a suspended affiliate, ${name}`,
    role: 'affiliate',
    suspended: true,
    ...more,
  });
  return [
    ...keys.map(({ set, key }) =>
      kind(`key with ${set.join('+')}`, {
        by: 'key',
        scopes: set,
        credential: async () => ({ key }),
      }),
    ),
    kind('application password', { by: 'password', credential: async () => ({ basic }) }),
    kind('session', {
      by: 'session',
      // Signing out ends the session, so every call needs its own.
      credential: async () => ({ session: await sessionOf(id, true) }),
    }),
  ];
}

async function revokedKey(): Promise<string> {
  const { id, token } = await app.keyRecord('admin', 'read,write,manage');
  await invoke(app.site, revokeKey, { id });
  return token;
}

async function sessionOf(userId: number, withCsrf: boolean, proof?: { isProved: boolean }) {
  const { site } = app;
  const browser = { secure: true, cookie: () => undefined, userAgent: '', address: '' };
  const opened = await site.database.transaction((tx) =>
    openSession(tx, site, userId, browser, proof),
  );
  const cookie = opened.cookie.split(';')[0]!;
  const csrf = csrfTokenOf(site, cookie.split('=')[1]!);
  return { cookie, csrf: withCsrf ? csrf : undefined };
}

function listed({ method, url }: Operation): ListedAccess {
  const entry = accessList.get(`${method} ${url}`);
  assert.ok(entry, `${method} ${url} is not in access-list.txt`);
  return entry;
}

/** The expected refusal, or undefined if the caller has access. */
function expectedRefusal(operation: Operation, kind: Kind): string | undefined {
  const { namespace, method } = operation;
  const { access, scope, exceptions } = listed(operation);
  const carriesKey = kind.by === 'key' || kind.by === 'bad key';
  if (namespace === 'site' && carriesKey) return '403 svc_api_key_wrong_namespace';
  // The route is closed unless it is configured, which it is not here.
  if (access === 'guarded') return '404 rest_no_route';
  if (kind.by === 'bad key') return '401 svc_api_invalid_key';
  if (kind.by === 'nothing') return access === 'public' ? undefined : '401 svc_api_unauthorized';
  // Public pages ignore the caller.
  if (namespace === 'site' && access === 'public') return undefined;
  const needsHeader = method !== 'GET' || operation.recordsReader === true;
  if (kind.by === 'session without csrf' && needsHeader) return '403 svc_api_csrf_required';
  const mayWhileSuspended = exceptions.includes('while-suspended');
  if (access === 'public' && kind.suspended && method !== 'GET' && !mayWhileSuspended) {
    return '403 svc_api_suspended';
  }
  if (access === 'public') return undefined;
  const rolesWithAccess: Record<string, Role[]> = {
    admin: ['administrator', 'manager'],
    'plugin-admin': ['administrator'],
  };
  if (rolesWithAccess[access] && !rolesWithAccess[access].includes(kind.role!))
    return '403 svc_api_forbidden';
  if (scope && kind.scopes && !kind.scopes.includes(scope)) return '403 svc_api_insufficient_scope';
  if (kind.suspended && method !== 'GET' && !mayWhileSuspended) {
    return '403 svc_api_suspended';
  }
  if (kind.unproved && exceptions.includes('proof')) return '403 svc_api_proof_required';
  // Sessions are for browsers: an application password can neither start nor end one.
  if (operation.url === '/session' && kind.by === 'password') return '401 svc_api_unauthorized';
  if (operation.url === '/session/proof' && kind.by === 'password') return '403 svc_api_forbidden';
  return undefined;
}

let address = 0;

/** Calls an operation with parameters that satisfy its contract, each time from another address. */
function callOperation(operation: Operation, credential: CallOptions): Promise<Reply> {
  const params = sampleOf(operation.params);
  const query = new URLSearchParams(sampleOf(operation.query)).toString();
  const path = operation.url.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name]);
  const body = operation.body && sampleOf(resolveSchema(operation.body, app.site.registry));
  address += 1;
  return app.call(`${operation.namespace === 'site' ? '~' : ''}${path}?${query}`, {
    method: operation.method,
    ...credential,
    ...(body && { json: body }),
    headers: { 'x-forwarded-for': `10.2.${address >> 8}.${address & 255}` },
  });
}

function assertHasAccess(operation: Operation, reply: Reply): void {
  // `session-proofs.test.ts` checks operations whose input or rows decide.
  if (reply.body.code === 'svc_api_proof_required') {
    return assert.ok(listed(operation).exceptions.some((word) => word.startsWith('proof=')));
  }
  // The sample is not a valid password. A page sends the form back with this status.
  if (listed(operation).exceptions.includes('signs-in') && reply.status === 401) return;
  const refused = reply.status === 401 || reply.status === 403 || reply.status >= 500;
  assert.ok(!refused, `${reply.status} ${reply.text}`);
  const invalid = ['rest_invalid_param', 'rest_missing_callback_param'].includes(reply.body.code);
  assert.ok(!invalid, `the sample must satisfy the contract (see sample.ts): ${reply.text}`);
}

test('the committed list matches what the program declares', () => {
  assert.equal(
    readFileSync(ACCESS_LIST, 'utf8'),
    accessListText(app.site.registry.allOperations()),
  );
});

test('every other change needs a recent proof of a session, or has a reason', () => {
  const isChange = ([route, { access, exceptions }]: [string, ListedAccess]) =>
    access !== 'public' && (!route.startsWith('GET ') || exceptions.includes('proof'));
  const unasked = [...accessList]
    .filter(isChange)
    .filter(([, { exceptions }]) => !exceptions.some((word) => word.startsWith('proof')))
    .map(([route]) => route);
  assert.deepEqual(unasked.toSorted(), Object.keys(withoutProof).toSorted());
});

/** What is wrong with the answer that a caller of this kind gets. */
async function errorFor(operation: Operation, kind: Kind): Promise<string | undefined> {
  const expected = expectedRefusal(operation, kind);
  try {
    const credential = await kind.credential();
    const head = await feedHead(app.site);
    const reply = await callOperation(operation, credential);
    if (expected === undefined) assertHasAccess(operation, reply);
    else assert.equal(`${reply.status} ${reply.body.code}`, expected);
    if (reply.status >= 400) {
      assert.equal(await feedHead(app.site), head, 'a refusal leaves no event');
    }
    return undefined;
  } catch (error) {
    return `${kind.name}: ${expected ?? 'has access'}: ${(error as Error).message}`;
  }
}

describe(`as ${kinds.length} kinds of callers`, () => {
  for (const operation of app.site.registry.allOperations()) {
    test(`${operation.method} ${operation.url}`, async () => {
      const errors: string[] = [];
      for (const kind of kinds) {
        const error = await errorFor(operation, kind);
        if (error !== undefined) errors.push(error);
      }
      assert.deepEqual(errors, []);
    });
  }
});
