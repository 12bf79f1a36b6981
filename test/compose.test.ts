import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parse } from 'yaml';

interface Service {
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  ports?: string[];
  networks: string[] | Record<string, unknown>;
  environment: Record<string, unknown>;
  privileged?: boolean;
  command?: unknown[];
  healthcheck?: { test: unknown[] };
}

const root = join(import.meta.dirname, '..');
const text = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
const compose = parse(text, { merge: true, strict: true }) as {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean } | null>;
};
const services = Object.entries(compose.services);
const networksOf = ({ networks }: Service) =>
  Array.isArray(networks) ? networks : Object.keys(networks);

describe('docker-compose.yml', () => {
  test('is YAML, with the services that the documentation names', () => {
    assert.deepEqual(
      services.map(([name]) => name),
      ['postgres', 'redis', 'tributary-1', 'tributary-2', 'balancer'],
    );
  });

  test('every word of a command and a healthcheck is text', () => {
    for (const [name, { command = [], healthcheck }] of services) {
      for (const word of [...command, ...(healthcheck?.test ?? [])]) {
        assert.equal(typeof word, 'string', `${name}: ${JSON.stringify(word)}`);
      }
    }
  });

  for (const [name, service] of services) {
    test(`${name} runs without root, capabilities and a file system to write to`, () => {
      assert.match(service.user ?? '', /^(?!root|0)\w/);
      assert.equal(service.read_only, true);
      assert.deepEqual(service.cap_drop, ['ALL']);
      assert.deepEqual(service.security_opt, ['no-new-privileges:true']);
      assert.equal(service.privileged, undefined);
      assert.deepEqual(service.cap_add ?? [], name === 'balancer' ? ['NET_BIND_SERVICE'] : []);
    });
  }

  test('only the balancer can be reached from outside', () => {
    for (const [name, { ports }] of services) {
      assert.equal(ports !== undefined, name === 'balancer', name);
    }
  });

  test('the database and Redis are in a network that leads nowhere, without the balancer', () => {
    assert.equal(compose.networks['data']?.internal, true);
    const inData = services.filter(([, service]) => networksOf(service).includes('data'));
    assert.deepEqual(
      inData.map(([name]) => name),
      ['postgres', 'redis', 'tributary-1', 'tributary-2'],
    );
    for (const name of ['postgres', 'redis']) {
      assert.deepEqual(networksOf(compose.services[name]!), ['data'], name);
    }
  });

  test('every password comes from .env, and none has a value that works by itself', () => {
    const given = [...text.matchAll(/\$\{(\w*PASSWORD\w*)([^}]*)\}/g)];
    const names = new Set(given.map(([, name]) => name));
    assert.deepEqual([...names].sort(), [
      'DATABASE_PASSWORD',
      'POSTGRES_PASSWORD',
      'REDIS_PASSWORD',
    ]);
    for (const [whole, , rest] of given) assert.match(rest!, /^:\?./, whole);
    const { environment } = compose.services['tributary-1']!;
    assert.match(String(environment['DATABASE_URL']), /^postgres:\/\/tributary:\$\{DATABASE_/);
    assert.match(String(environment['REDIS_URL']), /^redis:\/\/:\$\{REDIS_PASSWORD/);
    for (const file of ['.gitignore', '.dockerignore']) {
      assert.match(readFileSync(join(root, file), 'utf8'), /^\.env$/m, file);
    }
  });

  test("the service's role in the database may nothing but what is its own", () => {
    const script = readFileSync(join(root, 'deploy', 'create-role.sh'), 'utf8');
    assert.match(
      script,
      /create role tributary login nosuperuser nocreatedb nocreaterole noreplication/,
    );
    assert.notEqual(compose.services['postgres']!.environment['POSTGRES_USER'], 'tributary');
  });

  test('the instances believe the balancer alone', () => {
    const { networks } = compose.services['balancer']!;
    const { ipv4_address } = (networks as Record<string, { ipv4_address: string }>)['web']!;
    const { environment } = compose.services['tributary-1']!;
    assert.equal(environment['TRIBUTARY_TRUSTED_PROXIES'], ipv4_address);
  });
});
