import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import addFormats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { openTestApp } from '../../../test/support/harness.ts';
import { errorsOf } from '../../kernel/call/operation-errors.ts';
import { describeOperation } from '../../kernel/present/openapi/operation.ts';

const app = await openTestApp();
const { registry } = app.site;

interface Content {
  schema: any;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

// Read before the first test is declared: the app closes after the last test that the runner knows.
const { body: v2 } = await app.call('/svc/v2/openapi');
const { body: store } = await app.call('/svc/store/v1/openapi');

for (const [namespace, document] of Object.entries({ v2, store }) as ['v2' | 'store', any][]) {
  const operations = registry.activeOperations(namespace);
  const describedAs = (operation: (typeof operations)[number]) =>
    document.paths[operation.path][operation.method.toLowerCase()];

  /** Validates values with the schemas of the document, as a generated client would. */
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'document');
  /** Compiled once: operations share the schemas of their errors. */
  const compiled = new Map<string, ValidateFunction>();
  const violationsOf = (schema: object, value: unknown): string[] => {
    const absolute = JSON.stringify(schema).replaceAll('"#/components', '"document#/components');
    const isValid = compiled.get(absolute) ?? ajv.compile(JSON.parse(absolute));
    compiled.set(absolute, isValid);
    return isValid(value) ? [] : isValid.errors!.map((e) => `${e.instancePath} ${e.message}`);
  };
  const follow = (part: any): any =>
    part?.$ref === undefined
      ? part
      : part.$ref
          .split('/')
          .slice(1)
          .reduce((at: any, name: string) => at[name], document);
  /** Fields of a value that its schema does not have. */
  const strangers = (schema: any, value: any, place = ''): string[] => {
    const s = follow(schema);
    if (Array.isArray(value)) {
      return value.flatMap((item, i) => strangers(s.items ?? {}, item, `${place}[${i}]`));
    }
    if (typeof value !== 'object' || value === null || !s.properties) return [];
    return Object.entries(value).flatMap(([name, one]) =>
      name in s.properties
        ? strangers(s.properties[name], one, `${place}.${name}`)
        : s.additionalProperties
          ? []
          : [`${place}.${name}`],
    );
  };
  const checkExample = ({ schema, example }: Content) => {
    assert.notEqual(example, undefined, 'an example');
    assert.deepEqual(violationsOf(schema, example), []);
    assert.deepEqual(strangers(schema, example), []);
  };

  describe(`the document of ${namespace}`, () => {
    for (const operation of operations) {
      const described = describedAs(operation);

      describe(described.operationId, () => {
        test('the examples of its body and response match the schemas', () => {
          const { requestBody, responses } = described;
          if (requestBody) checkExample(requestBody.content['application/json']);
          const good = responses[operation.status ?? 200];
          checkExample(Object.values<Content>(good.content)[0]!);
        });

        const sent = described.requestBody?.content['application/json'].example;
        if (sent !== undefined) {
          test('the example response fits the example body', () => {
            const good = described.responses[operation.status ?? 200];
            const { example } = good.content['application/json'];
            const both = Object.entries(sent).filter(([name]) => name in example);
            assert.partialDeepStrictEqual(example, Object.fromEntries(both));
          });
        }

        test('each error response is shared and lists exactly the possible codes', () => {
          const byStatus = Object.groupBy(errorsOf(operation, registry), ({ status }) => status);
          for (const [status, errors] of Object.entries(byStatus)) {
            assert.deepEqual(Object.keys(described.responses[status]), ['$ref'], status);
            const content = follow(described.responses[status]).content['application/json'];
            const codes = content.schema.properties.code.enum;
            assert.deepEqual(codes.toSorted(), errors!.map(({ code }) => code).toSorted());
            assert.deepEqual(Object.keys(content.examples), codes);
            for (const { value } of Object.values<any>(content.examples)) {
              assert.deepEqual(violationsOf(content.schema, value), []);
            }
          }
        });

        test('its group, its parameters and the fields of its body are described', () => {
          for (const name of described.tags) {
            const tag = document.tags.find((one: any) => one.name === name);
            assert.match(tag.description, /^[A-Z].+\.$/);
          }
          for (const { name, description } of described.parameters) assert.ok(description, name);
          const body = follow(described.requestBody?.content['application/json'].schema);
          for (const [name, property] of Object.entries<any>(body?.properties ?? {})) {
            assert.ok(follow(property).description, name);
          }
        });

        test('the required scope is listed with the API key', () => {
          const { bearerApiKey } = described.security.at(-2);
          assert.deepEqual(bearerApiKey, operation.scope ? [operation.scope] : []);
        });
      });
    }

    test('a schema name has the same meaning in all operations', () => {
      const seen = new Map<string, unknown>();
      for (const operation of operations) {
        const components = { schemas: {}, responses: {} };
        describeOperation(operation, app.site, components);
        const parts = Object.entries({ ...components.schemas, ...components.responses });
        for (const [name, part] of parts) {
          assert.deepEqual(part, seen.get(name) ?? part, `${name} of ${operation.id}`);
          seen.set(name, part);
        }
      }
    });

    test('all references resolve, and every schema is valid', () => {
      const refs = JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g);
      for (const [, $ref] of refs) assert.ok(follow({ $ref }) !== undefined, $ref!);
      for (const [name, schema] of Object.entries<object>(document.components.schemas)) {
        assert.match(name, /^[A-Z][A-Za-z0-9]+$/);
        assert.doesNotThrow(() => violationsOf(schema, null), name);
      }
    });

    test('the access levels and scopes are explained', () => {
      const { description } = document.info;
      const levels = new Set(operations.map((operation) => describedAs(operation)['x-access']));
      for (const word of [...levels, 'x-access', 'x-scope', 'read', 'write', 'manage']) {
        assert.ok(description.includes(`\`${word}\``), word);
      }
    });
  });

  if (namespace === 'store') continue;

  describe('its section of webhooks', () => {
    const events = [...registry.events().map(({ name }) => name), 'ping'];

    test('lists every event that can be delivered, and the test', () => {
      assert.deepEqual(Object.keys(document.webhooks), events);
      const { mapping } = document.components.schemas.WebhookMessage.discriminator;
      assert.deepEqual(Object.keys(mapping), events);
    });

    for (const event of events) {
      test(`${event}: has its own payload, with an example`, () => {
        const { post } = document.webhooks[event];
        const content = post.requestBody.content['application/json'];
        checkExample(content);
        assert.equal(content.example.type, event);
        const union = { $ref: '#/components/schemas/WebhookMessage' };
        assert.deepEqual(violationsOf(union, content.example), []);
        assert.notDeepEqual(violationsOf(union, { ...content.example, type: 'none' }), []);
      });
    }

    test('is absent without the webhooks add-on', async () => {
      await app.set({ 'addons.disabled': ['webhooks'] });
      const { body } = await app.call('/openapi');
      assert.equal(body.webhooks, undefined);
      assert.equal(body.components.schemas.WebhookMessage, undefined);
      await app.set({ 'addons.disabled': [] });
    });
  });
}

test('fields with a default may be omitted, also in the items of a batch or list', async () => {
  const { body: document } = await app.call('/svc/store/v1/openapi');
  const { StoreOrder, StoreOrderOfBatch, NewClick } = document.components.schemas;
  assert.deepEqual(StoreOrder.required, ['date', 'status', 'total']);
  assert.deepEqual(StoreOrderOfBatch.required, ['order_id', ...StoreOrder.required]);
  assert.equal(NewClick.required, undefined);
});

test('the free edition: no payouts, no webhooks, and nothing refers to them', async () => {
  const free = await openTestApp({ config: { edition: 'free' } });
  const { body: document } = await free.call('/openapi');
  assert.equal(document.webhooks, undefined);
  assert.equal(document.paths['/payouts'], undefined);
  const { schemas } = document.components;
  assert.equal(schemas.Payout, undefined);
  assert.ok(schemas.FeedEvent.oneOf.length > 0);
  for (const [, kind, name] of JSON.stringify(document).matchAll(
    /"#\/components\/(\w+)\/([\w-]+)"/g,
  )) {
    assert.ok(document.components[kind!][name!], `${kind} ${name}`);
  }
  const summary = document.paths['/reports/summary'].get.responses['200'];
  assert.equal(summary.content['application/json'].example.payouts, undefined);
});

test('the change feed matches the documented schema of each event', async () => {
  const key = await app.key('admin', 'read,write,manage');
  const { body: document } = await app.call('/openapi');
  const { body: events } = await app.call('/events', { key });
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(document, 'document');
  assert.ok(events.length > 0);
  for (const event of events) {
    assert.ok(ajv.validate('document#/components/schemas/FeedEvent', event), JSON.stringify(event));
  }
});
