import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import Ajv, { type ValidateFunction } from 'ajv';
import { configKeys } from '../../src/installation/config-keys.ts';
import { resolveConfig } from '../../src/installation/config.ts';
import {
  composeText,
  interpolate,
  interpolated,
  parseCompose,
  root,
  type Service,
} from './compose-file.ts';

const compose = parseCompose();
const text = composeText;
const services = Object.entries(compose.services);
const networksOf = ({ networks }: Service) =>
  Array.isArray(networks) ? networks : Object.keys(networks);

const PASSWORDS = { POSTGRES_PASSWORD: 'p', DATABASE_PASSWORD: 'd', REDIS_PASSWORD: 'r' };

/** The schema says what compose accepts; `deprecated` in it is a keyword of later drafts. */
function composeSchema(): ValidateFunction {
  const file = join(import.meta.dirname, 'compose-spec.json');
  const { $schema: _draft, ...schema } = JSON.parse(readFileSync(file, 'utf8')) as {
    $schema: string;
  };
  return new Ajv.Ajv({ allErrors: true, strict: false }).compile(schema);
}

describe('compose.cluster.yml for compose', () => {
  const accepts = composeSchema();

  test('is what the published schema of compose accepts, once its variables are replaced', () => {
    accepts(interpolated(compose, PASSWORDS));
    assert.deepEqual(accepts.errors ?? [], []);
  });

  test('the schema refuses a healthcheck whose words are not quoted', () => {
    const invalid = structuredClone(compose);
    invalid.services['tributary-1']!.healthcheck!.test.push({ 'r.ok ? 0': 1 });
    assert.equal(accepts(interpolated(invalid, PASSWORDS)), false);
  });

  test('no value depends on the version of YAML that a parser knows', () => {
    assert.deepEqual(parseCompose('1.1'), parseCompose('1.2'));
  });

  test('without a password it names what is missing', () => {
    for (const name of Object.keys(PASSWORDS)) {
      assert.throws(
        () => interpolated(compose, { ...PASSWORDS, [name]: '' }),
        new RegExp(`^Error: ${name}: put one into .env$`),
      );
    }
  });

  test('variables are replaced as compose replaces them', () => {
    const given = { A: 'a', EMPTY: '' };
    const cases = {
      '$A ${A} $$A $${A}': 'a a $A ${A}',
      '${EMPTY:-b} ${EMPTY-b} ${NONE-b} ${A:-b}': 'b  b a',
      '[${A:+c}${EMPTY:+c}${EMPTY+c}]': '[cc]',
    };
    for (const [before, after] of Object.entries(cases)) {
      assert.equal(interpolate(before, given), after, before);
    }
    assert.throws(() => interpolate('5 $', given), /begins no variable/);
  });

  test('every file, network, volume and service that it names exists', () => {
    for (const [name, { build, volumes = [], depends_on, ...service }] of services) {
      for (const network of networksOf(service)) assert.ok(network in compose.networks);
      for (const other of Object.keys(depends_on ?? {})) assert.ok(other in compose.services, name);
      for (const volume of volumes) {
        const source = volume.split(':')[0]!;
        const exists = source.startsWith('.')
          ? existsSync(join(root, source))
          : source in compose.volumes;
        assert.ok(exists, volume);
      }
      if (build === undefined) continue;
      const { context, dockerfile } =
        typeof build === 'string' ? { context: build, dockerfile: 'Dockerfile' } : build;
      assert.ok(existsSync(join(root, context, dockerfile)), name);
    }
  });

  test('what the images copy is in their build context', () => {
    const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
    const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, files]) =>
      files!.split(' '),
    );
    assert.ok(copied.includes('src'));
    for (const file of copied) {
      assert.ok(globSync(file, { cwd: root }).length > 0, file);
      assert.ok(!ignored.includes(file.split('/')[0]!), file);
    }
  });
});

describe('deploy/tributary.env', () => {
  const example = readFileSync(join(root, 'deploy/tributary.env.example'), 'utf8');
  const lines = [...example.matchAll(/^#([A-Z_]+)=(.*)$/gm)];
  const instance = compose.services['tributary-1']!;

  test('is read where it exists, by every instance', () => {
    for (const name of ['tributary-1', 'tributary-2']) {
      assert.deepEqual(compose.services[name]!.env_file, [
        { path: 'deploy/tributary.env', required: false },
      ]);
    }
  });

  test('is never committed and never part of an image', () => {
    assert.match(readFileSync(join(root, '.gitignore'), 'utf8'), /^deploy\/tributary\.env$/m);
    assert.match(readFileSync(join(root, '.dockerignore'), 'utf8'), /^deploy$/m);
  });

  test('its example has every variable once, explained, and changes nothing as it is', () => {
    assert.deepEqual(
      lines.map(([, name]) => name),
      Object.values(configKeys).map(({ env }) => env),
    );
    for (const line of example.split('\n')) assert.match(line, /^(#.*)?$/);
  });

  test('every line of the example can be switched on: the service accepts it', () => {
    const environment = Object.fromEntries(lines.map(([, name, value]) => [name, value]));
    assert.deepEqual(resolveConfig({}, environment).config, resolveConfig({}, {}).config);
  });

  test('cannot override what the other containers depend on', () => {
    const fixed = interpolated(instance.environment, PASSWORDS) as Record<string, string>;
    const { config } = resolveConfig({}, fixed);
    assert.deepEqual([config.port, config.host, config.data], [8443, '0.0.0.0', '/data']);
    assert.ok(instance.volumes!.some((volume) => volume.endsWith(`:${config.data}`)));
    const instances = String(compose.services['balancer']!.environment['INSTANCES']);
    for (const each of instances.split(' ')) assert.ok(each.endsWith(`:${config.port}`), each);
  });
});

describe('compose.cluster.yml', () => {
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

  test('every password comes from .env, and none has a working default', () => {
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

describe('compose.yml', () => {
  const single = parseCompose('1.2', readFileSync(join(root, 'compose.yml'), 'utf8'));
  const accepts = composeSchema();
  const { tributary: service, ...others } = single.services;

  test('is one service that the schema accepts without any variable', () => {
    accepts(interpolated(single, {}));
    assert.deepEqual(accepts.errors ?? [], []);
    assert.deepEqual(others, {});
  });

  test('runs without root, capabilities and a file system to write to, with one volume', () => {
    const { user, read_only, cap_drop, security_opt, volumes } = service!;
    assert.deepEqual(
      { user, read_only, cap_drop, security_opt, volumes },
      {
        user: 'node',
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        volumes: ['data:/data'],
      },
    );
    assert.deepEqual(Object.keys(single.volumes), ['data']);
  });

  test('listens where the container is reached, on a SQLite file in the volume', () => {
    const given = interpolated(service!.environment, {}) as Record<string, string>;
    const { config } = resolveConfig({}, given);
    assert.deepEqual([config.port, config.host, config.data], [8443, '0.0.0.0', '/data']);
    assert.equal(config.databaseUrl, '');
    assert.equal(config.publicUrl, 'https://localhost:8443');
  });
});
