import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { openTestApp, refusal, type CallOptions } from '../../../test/support/harness.ts';
import { resolveSchema } from '../../kernel/call/input-readers.ts';
import type { Operation } from '../../kernel/declare/operation.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');
const namespaces = { v2: '/svc/v2', store: '/svc/store/v1' } as const;
type Documented = keyof typeof namespaces;

const get = (namespace: Documented = 'v2', options: CallOptions = {}) =>
  app.call(`${namespaces[namespace]}/openapi`, options);
const documentOf = async (namespace: Documented = 'v2') => (await get(namespace)).body;

/** Read once for what is asserted of each operation: reading them takes most of the time of a test. */
const documents = { v2: await documentOf('v2'), store: await documentOf('store') };

/** The documented operation of an operation, found by its path and method. */
function describedAs(operation: Operation): any {
  const { paths } = documents[operation.namespace as Documented];
  return paths[operation.path]?.[operation.method.toLowerCase()];
}

/** Resolves a reference in a document. */
function resolved(namespace: Documented, { $ref }: { $ref: string }): any {
  assert.match($ref, /^#\/components\/schemas\/[A-Z]\w+$/);
  return documents[namespace].components.schemas[$ref.split('/').at(-1)!];
}

const operations = app.site.registry.allOperations().filter((op) => op.namespace !== 'site');

for (const namespace of ['v2', 'store'] as const) {
  describe(`GET ${namespaces[namespace]}/openapi`, () => {
    test('200: an OpenAPI 3.1.0 document with its own version and address', async () => {
      const { status, body } = await get(namespace);
      assert.equal(status, 200);
      assert.equal(body.openapi, '3.1.0');
      assert.match(body.info.version, /^\d+\.\d+\.\d+$/);
      assert.ok(body.info.title && body.info.description);
      assert.deepEqual(
        body.servers.map((server: any) => server.url),
        [app.site.publicUrl + namespaces[namespace]],
      );
    });

    test('a validator agrees', async () => {
      const validator = new Validator();
      const result = await validator.validate(await documentOf(namespace));
      assert.deepEqual(result.errors ?? [], []);
      assert.ok(result.valid);
      assert.equal(validator.version, '3.1');
    });

    test('both security schemes', async () => {
      const { bearerApiKey, basicAppPassword } = (await documentOf(namespace)).components
        .securitySchemes;
      assert.deepEqual([bearerApiKey.type, bearerApiKey.scheme], ['http', 'bearer']);
      assert.deepEqual([basicAppPassword.type, basicAppPassword.scheme], ['http', 'basic']);
    });

    test('every route of the namespace and no other', async () => {
      const { paths } = await documentOf(namespace);
      const documented = Object.entries<object>(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method} ${path}`),
      );
      const expected = operations
        .filter((op) => op.namespace === namespace)
        .map((op) => `${op.method.toLowerCase()} ${op.path}`);
      assert.deepEqual(documented.sort(), expected.sort());
    });
  });
}

describe('every documented operation', () => {
  for (const operation of operations) {
    describe(`${operation.method} ${operation.url}`, () => {
      test('has an id of the method and the path segments', async () => {
        const { operationId } = describedAs(operation);
        const segments = operation.path.split('/').filter(Boolean);
        const words = [operation.method.toLowerCase(), ...segments];
        assert.equal(operationId, words.join('_').replaceAll(/[{}]/g, ''));
      });

      test('lists its security alternatives', async () => {
        const { security } = describedAs(operation);
        const schemes = security.flatMap((alternative: object) => Object.keys(alternative));
        assert.deepEqual(schemes, ['bearerApiKey', 'basicAppPassword']);
        const open = security.some((alternative: object) => Object.keys(alternative).length === 0);
        assert.equal(open, operation.access === 'public');
      });

      test('lists its responses: success, and 401 and 403 as errors', async () => {
        const { responses } = describedAs(operation);
        const good = responses[operation.status ?? 200];
        assert.ok(good.content[operation.contentType ?? 'application/json'].schema);
        assert.ok(['200', '201', '202'].includes(String(operation.status ?? 200)));
        const { components } = documents[operation.namespace as Documented];
        for (const status of ['401', '403', '429']) {
          const response = components.responses[responses[status].$ref.split('/').at(-1)];
          const { required } = response.content['application/json'].schema;
          assert.deepEqual(required, ['code', 'message', 'data']);
        }
        for (const name of [...Object.keys(operation.headers ?? {}), 'RateLimit', 'X-Request-Id']) {
          assert.ok(good.headers[name], name);
        }
      });

      test('describes its parameters with type, enum, default and required', async () => {
        const described = describedAs(operation);
        for (const [place, schema] of [
          ['path', operation.params],
          ['query', operation.query],
        ] as const) {
          const listed = described.parameters.filter((p: any) => p.in === place);
          assert.deepEqual(
            listed.map((p: any) => p.name),
            Object.keys(schema?.properties ?? {}),
          );
          for (const parameter of listed) {
            const property: any = schema!.properties[parameter.name];
            const { type, enum: words, minimum, maximum } = parameter.schema;
            assert.deepEqual(
              [type, words, minimum, maximum, parameter.schema.default],
              [property.type, property.enum, property.minimum, property.maximum, property.default],
            );
            const needed = schema!.required?.includes(parameter.name) ?? false;
            assert.equal(parameter.required, needed && property.default === undefined);
          }
        }
      });

      test('describes its body: JSON as a named schema, and a form if it takes a file', async () => {
        const described = describedAs(operation);
        if (!operation.body) return assert.equal(described.requestBody, undefined);
        const body = resolveSchema(operation.body, app.site.registry);
        const { content } = described.requestBody;
        const form = operation.upload ? ['multipart/form-data'] : [];
        assert.deepEqual(Object.keys(content), ['application/json', ...form]);
        const schema = resolved(
          operation.namespace as Documented,
          content['application/json'].schema,
        );
        // One of several notations; a list is accepted as well.
        const { properties } = operation.listBody ? body : schema;
        assert.deepEqual(Object.keys(properties), Object.keys(body.properties));
        if (!operation.upload) return;
        const parts = content['multipart/form-data'].schema;
        assert.deepEqual(Object.keys(parts.properties), Object.keys(body.properties));
        assert.deepEqual(parts.required, schema.required);
        const part = parts.properties[operation.upload.content];
        const { contentMediaType } = operation.upload.isList ? part.items : part;
        assert.equal(contentMediaType, 'application/octet-stream');
      });
    });
  }
});

describe('what the specification shows', () => {
  test('POST /keys', async () => {
    const { post } = (await documentOf()).paths['/keys'];
    assert.equal(post.operationId, 'post_keys');
    const { schema } = post.requestBody.content['application/json'];
    assert.deepEqual(schema, { $ref: '#/components/schemas/CreateApiKey' });
    const { properties, required } = resolved('v2', schema);
    assert.equal(required, undefined, 'nothing is required');
    assert.deepEqual(properties.scopes.items.enum, ['read', 'write', 'manage']);
    assert.deepEqual(properties.scopes.default, ['read']);
    assert.equal(properties.expires.format, 'date');
    assert.ok(post.responses['201']);
  });

  test('DELETE /keys/{id}', async () => {
    const operation = (await documentOf()).paths['/keys/{id}'].delete;
    assert.equal(operation.operationId, 'delete_keys_id');
    const [id] = operation.parameters;
    assert.deepEqual(
      [id.name, id.in, id.required, id.schema.type],
      ['id', 'path', true, 'integer'],
    );
    assert.ok(operation.responses['404']);
  });

  test('POST /payouts: 201 for a new payout, 200 for the open one; the same for orders', async () => {
    const { post } = (await documentOf()).paths['/payouts'];
    const { put } = (await documentOf('store')).paths['/orders/{order_id}'];
    for (const { responses } of [post, put]) {
      assert.ok(responses['200'] && responses['201']);
      assert.deepEqual(responses['200'].content, responses['201'].content);
    }
  });

  test('pages: start at 1, 20 items by default, at most 100', async () => {
    const { parameters } = (await documentOf()).paths['/keys'].get;
    const [page, perPage] = ['page', 'per_page'].map(
      (name) => parameters.find((p: any) => p.name === name).schema,
    );
    assert.deepEqual([page.minimum, page.default], [1, 1]);
    assert.deepEqual([perPage.minimum, perPage.maximum, perPage.default], [1, 100, 20]);
  });
});

describe('switches', () => {
  test('a disabled endpoint disappears and comes back without a restart', async () => {
    const before = await documentOf();
    await app.set({ 'api.disabled_endpoints': ['get_keys', 'delete_keys_id'] });
    const { paths } = await documentOf();
    assert.deepEqual(Object.keys(paths['/keys']), ['post']);
    assert.equal(paths['/keys/{id}'], undefined);
    await app.set({ 'api.disabled_endpoints': [] });
    assert.deepEqual(await documentOf(), before);
  });

  test('if disabled itself, it is an unknown path', async () => {
    await app.set({ 'api.disabled_endpoints': ['get_openapi'] });
    assert.equal(refusal(await get()), '404 rest_no_route');
    assert.equal((await get('store')).status, 200, 'the other document stays');
    await app.set({ 'api.disabled_endpoints': [] });
  });

  for (const namespace of ['v2', 'store'] as const) {
    test(`${namespace}: admins only if api.openapi_public is off`, async () => {
      await app.set({ 'api.openapi_public': false });
      assert.equal(refusal(await get(namespace)), '401 svc_api_unauthorized');
      const affiliate = await app.key('maya', 'read');
      assert.equal(refusal(await get(namespace, { key: affiliate })), '403 svc_api_forbidden');
      const restricted = (await get(namespace, { key: admin })).body.paths['/openapi'].get;
      assert.deepEqual(restricted.security, [{ bearerApiKey: [] }, { basicAppPassword: [] }]);
      assert.equal(restricted['x-access'], 'admin');
      assert.equal((await get(namespace, { basic: await app.basic('manager') })).status, 200);
      await app.set({ 'api.openapi_public': true });
      const { security } = (await documentOf(namespace)).paths['/openapi'].get;
      assert.deepEqual(security[0], {}, 'open again, and described so');
    });
  }
});

describe('the responses of an operation', () => {
  test('200, 401 and 403 are documented for every operation of v2', async () => {
    for (const methods of Object.values<any>((await documentOf()).paths)) {
      for (const { operationId, responses } of Object.values<any>(methods)) {
        for (const status of [200, 401, 403]) assert.ok(responses[status], operationId);
      }
    }
  });

  test('include refusals of the body for every change, with or without a body', async () => {
    for (const operation of operations.filter(({ method }) => method !== 'GET')) {
      const { responses } = describedAs(operation);
      for (const status of [400, 413, 415]) assert.ok(responses[status], operation.url);
      const options = { method: operation.method, key: admin };
      const path = operation.url.replaceAll(/\{\w+\}/g, '999');
      const sent: [string, string, string][] = [
        ['{', 'application/json', '400 rest_invalid_json'],
        ['x', 'text/plain', '415 rest_unsupported_media_type'],
      ];
      for (const [json, type, expected] of sent) {
        const reply = await app.call(path, { ...options, json, headers: { 'content-type': type } });
        assert.equal(refusal(reply), expected, operation.url);
      }
    }
  });

  test('every list and free-form object of a request has a maximum size', () => {
    const unlimited = (schema: any, place: string): string[] => [
      ...(schema.type === 'array' && schema.maxItems === undefined ? [place] : []),
      ...(schema.patternProperties && schema.maxProperties === undefined ? [place] : []),
      ...(schema.items ? unlimited(schema.items, `${place}[]`) : []),
      ...(schema.anyOf ?? []).flatMap((one: unknown) => unlimited(one, place)),
      ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) =>
        unlimited(one, `${place}.${name}`),
      ),
    ];
    const { registry } = app.site;
    const found = operations.flatMap(({ body, query, id }) =>
      [body && resolveSchema(body, registry), query].flatMap((part) =>
        part ? unlimited(part, id) : [],
      ),
    );
    assert.deepEqual(found, []);
  });

  test('bodies of the store API allow no additional fields', async () => {
    const { StoreOrder, StoreOrderOfBatch } = (await documentOf('store')).components.schemas;
    for (const schema of [StoreOrder, StoreOrderOfBatch]) {
      assert.equal(schema.additionalProperties, false);
      assert.equal(schema.properties.items.items.additionalProperties, false);
      const { refunds } = schema.properties;
      assert.equal(refunds.items.properties.items.items.additionalProperties, false);
    }
    const { CreateApiKey } = (await documentOf()).components.schemas;
    assert.equal(CreateApiKey.additionalProperties, undefined);
  });
});
