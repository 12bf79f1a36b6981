import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, test } from 'node:test';
import { parseCookie } from 'cookie';
import Type, { type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { TrustedProxies } from '../src/http/connections/trusted-proxies.ts';
import { parseFields } from '../src/http/request/fields.ts';
import { isPathId } from '../src/http/request/path-ids.ts';
import { coerce } from '../src/kernel/call/coerce.ts';
import { idempotencyKeyOf } from '../src/kernel/call/idempotency-key.ts';
import { readInput, resolveSchema } from '../src/kernel/call/input-readers.ts';
import { landingAt } from '../src/modules/clicks/follow-link.ts';
import { keyCredential } from '../src/modules/keys/key-credential.ts';
import { basicCredential } from '../src/modules/passwords/basic-credential.ts';
import { isIban } from '../src/shared/iban.ts';
import { isInstant } from '../src/shared/instants.ts';
import { nearest } from '../src/shared/nearest.ts';
import { withoutFinalDots } from '../src/shared/public-address.ts';
import { addonFacts } from './support/addon-facts.ts';
import { openTestApp } from './support/harness.ts';

/**
 * Reading a caller's input must take linear time. The test measures the CPU time of this thread, which
 * other processes do not add to, and how it grows, which does not depend on the speed of the machine:
 * for four times the input, linear work takes four times as long, quadratic work sixteen times. If the
 * larger input takes less than `NEGLIGIBLE_MS`, the work cannot be quadratic: at this length that would
 * take hundreds of milliseconds.
 */
const SHORT = 2_000;
const LONG = 4 * SHORT;
const NEGLIGIBLE_MS = 10;
const GROWTH_MAX = 9;

const UNITS = '0 a A . - + , @ / % & = [ ] { 0. a. a@ a, 0, a=& a[0]=& [] %00 %2 {login} T0'.split(
  ' ',
);
const units = [...UNITS, ' ', '\n', '\t ', '"', '\\', '\\"', 'ä', '🧀', '\0'];
const TAILS = ['', '!', '\n', ' x', '\0'];

const app = await openTestApp();
const { registry } = app.site;

type Work = (text: string) => unknown;

function cpuMs(work: Work, text: string): number {
  const before = process.threadCpuUsage();
  try {
    work(text);
  } catch {
    // A refusal is a valid result too.
  }
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

function assertLinear(work: Work): void {
  for (const unit of units) {
    for (const tail of TAILS) {
      const [short, long] = [SHORT, LONG].map(
        (length) => unit.repeat(length / unit.length).slice(0, length) + tail,
      ) as [string, string];
      if (cpuMs(work, long) < NEGLIGIBLE_MS) continue;
      const least = (text: string) => Math.min(...[1, 2, 3].map(() => cpuMs(work, text)));
      const [shortMs, longMs] = [least(short), least(long)];
      const growth = longMs / Math.max(shortMs, 0.1);
      const what = `${JSON.stringify(unit)} repeated, then ${JSON.stringify(tail)}`;
      assert.ok(
        longMs < NEGLIGIBLE_MS || growth < GROWTH_MAX,
        `${what}: ${shortMs} ms for ${SHORT} characters, ${longMs} ms for ${LONG}`,
      );
    }
  }
}

test('the measurement distinguishes quadratic work from linear work', () => {
  assertLinear((text) => text.replaceAll(/\s/g, ''));
  assert.throws(
    () => assertLinear((text) => /^\s*(\d+\.?\d*|\.\d+)\s*$/.test(text)),
    /2000 characters/,
  );
});

describe('reading text takes time that is linear in its length', () => {
  const proxies = new TrustedProxies(['127.0.0.1', '0::/0', '10.0.0.0/8']);
  const forwarded = (text: string) => {
    const headers = { 'x-forwarded-for': text, 'x-forwarded-proto': text };
    const request = { socket: { remoteAddress: '127.0.0.1' }, headers };
    // Proxies are recognised by these properties alone.
    return proxies.originOf(request as unknown as IncomingMessage);
  };
  const store = new URL('https://store.example');
  const works: Record<string, Work> = {
    'a number': (text) => coerce(Type.Number(), text),
    'an integer': (text) => coerce(Type.Integer(), text),
    'a truth value': (text) => coerce(Type.Boolean(), text),
    'a list': (text) => coerce(Type.Array(Type.Integer()), text),
    'a query or a form': (text) => parseFields(text, 200_000, 'query'),
    'an id in a path': isPathId,
    'the Idempotency-Key': (text) => idempotencyKeyOf({ 'idempotency-key': text }),
    'an API key': (text) => keyCredential.find({ authorization: `Bearer ${text}` }, true),
    'HTTP Basic': (text) => basicCredential.find({ authorization: `Basic ${text}` }, true),
    'a cookie': (text) => parseCookie(text),
    'the address behind proxies': (text) => forwarded(text).address,
    'the protocol behind proxies': (text) => forwarded(text).secure,
    'a date and time': isInstant,
    'an IBAN': isIban,
    'where a link leads': (text) => landingAt(store, `/${text}`),
    'a host name': withoutFinalDots,
    'a name that is near': (text) => nearest(text, ['status', 'scopes']),
  };
  for (const [name, work] of Object.entries(works)) test(name, () => assertLinear(work));
});

/** All schemas for text within a schema. */
function* textsIn(schema: TSchema, name: string): Generator<[string, TSchema]> {
  const parts = schema as {
    type?: string;
    items?: TSchema;
    anyOf?: TSchema[];
    properties?: Record<string, TSchema>;
    patternProperties?: Record<string, TSchema>;
  };
  if (parts.type === 'string') yield [name, schema];
  if (parts.items) yield* textsIn(parts.items, `${name}[]`);
  for (const one of parts.anyOf ?? []) yield* textsIn(one, name);
  for (const [key, one] of Object.entries(parts.properties ?? {})) {
    yield* textsIn(one, `${name}.${key}`);
  }
  for (const [pattern, one] of Object.entries(parts.patternProperties ?? {})) {
    yield [`names in ${name}`, Type.String({ pattern })];
    yield* textsIn(one, `${name}.*`);
  }
}

describe('checking a contract takes time that is linear in the length of a text', async () => {
  const known = new Map<string, [string, TSchema]>();
  const gather = (schema: TSchema | undefined, name: string) => {
    // Schemas with the same rules are checked once.
    for (const found of schema ? textsIn(schema, name) : []) {
      const { pattern, format, minLength, maxLength } = found[1] as Record<string, unknown>;
      if ((pattern ?? format) === undefined) continue;
      const rules = JSON.stringify({ pattern, format, minLength, maxLength });
      if (!known.has(rules)) known.set(rules, found);
    }
  };
  for (const operation of registry.allOperations()) {
    const { params, query, body, id } = operation;
    gather(params, id);
    gather(query, id);
    gather(body && resolveSchema(body, registry), id);
  }
  for (const setting of registry.settings().values()) gather(setting.schema, setting.key);
  for (const { schemasOfTexts } of addonFacts) {
    for (const [name, schema] of Object.entries((await schemasOfTexts?.(app.site)) ?? {})) {
      gather(schema, name);
    }
  }

  for (const [name, schema] of known.values()) {
    test(`${name} ${JSON.stringify(schema)}`, () => {
      const compiled = Compile(schema);
      assertLinear((text) => compiled.Check(text) || compiled.Errors(text));
    });
  }
});

/**
 * Validation stops after the first errors, so refusing a body costs about as much as parsing its JSON,
 * which is measured in the same test. Listing every error took at least twenty times as long, so the
 * factor can be generous to a busy machine and still detect that.
 */
describe('a body full of faults is refused at about the cost of parsing it', () => {
  const COUNT = 10_000;
  const FACTOR_MAX = 5;
  const bodies: Record<string, (name: string) => unknown> = {
    'unknown fields': () => numbered('field', 0),
    'unknown fields that are near': (name) => numbered(name.slice(0, -1), 0),
    'a list in place of anything': (name) => ({
      [name]: Array.from({ length: COUNT }, () => ({ x: [] })),
    }),
    'an object in place of anything': (name) => ({ [name]: numbered('field', 0) }),
  };
  const numbered = (prefix: string, value: unknown) =>
    Object.fromEntries(Array.from({ length: COUNT }, (_, i) => [prefix + i, value]));

  const operations = registry
    .allOperations()
    .filter((op) => op.method !== 'GET' && op.namespace !== 'site');
  for (const operation of operations) {
    test(`${operation.method} ${operation.url}`, () => {
      const body = operation.body && resolveSchema(operation.body, registry);
      const params = { id: '1', order_id: '1', delivery_id: '1' };
      // One field of each operation, because all fields are validated alike.
      const [name = 'none'] = Object.keys(body?.properties ?? {});
      for (const [kind, make] of Object.entries(bodies)) {
        const json = JSON.stringify(make(name));
        const parsed: unknown[] = [];
        const least = (work: Work) => Math.min(...[1, 2, 3].map(() => cpuMs(work, json)));
        const parsingMs = least((text) => parsed.push(JSON.parse(text)));
        const readingMs = least(() =>
          readInput(operation, app.site, { params, query: {}, body: parsed[0], bodyIsText: false }),
        );
        assert.ok(
          readingMs <= FACTOR_MAX * Math.max(parsingMs, NEGLIGIBLE_MS),
          `${kind}, ${name}: ${readingMs} ms to read what took ${parsingMs} ms to parse`,
        );
      }
    });
  }
});
