import type { Namespace } from '../../declare/operation.ts';
import { ErrorSchema, RetryErrorDataSchema } from '../../declare/schemas.ts';
import type { Site } from '../../declare/site.ts';
import { infoOf, SECURITY_SCHEMES, serversOf, tagsOf } from './info.ts';
import { describeOperation } from './operation.ts';
import { SHARED_HEADERS, type Components } from './responses.ts';
import { hoist, type Json } from './schemas.ts';
import { feedSchemas, webhooksOf } from './webhooks.ts';

/** The OpenAPI document of a namespace: its active operations, with the changes by extensions. */
export function openApiDocument(site: Site, namespace: Namespace): Json {
  const document = generate(site, namespace);
  const amend = site.extensions.amendOpenApi;
  // Extensions receive plain JSON, because TypeBox schemas have properties that only TypeBox reads. A
  // JSON object stays one in the round trip, so the cast is safe.
  return amend ? amend(JSON.parse(JSON.stringify(document)) as Json) : document;
}

/** Takes milliseconds, so the routes that serve the text cache it per revision of the registry. */
export function openApiText(site: Site, namespace: Namespace): string {
  return JSON.stringify(openApiDocument(site, namespace));
}

function generate(site: Site, namespace: Namespace): Json {
  const { registry } = site;
  const operations = registry.activeOperations(namespace);
  const components: Components = { schemas: {}, responses: {} };
  const { schemas, responses } = components;
  hoist(ErrorSchema, schemas);
  hoist(RetryErrorDataSchema, schemas);
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const path = (paths[operation.path] ??= {});
    path[operation.method.toLowerCase()] = describeOperation(operation, site, components);
  }
  if ('FeedEvent' in schemas) Object.assign(schemas, feedSchemas(registry));
  const webhooks = namespace === 'v2' ? webhooksOf(registry, schemas) : {};
  const modules = registry
    .activeModules()
    .filter((module) => module.operations?.some((operation) => operations.includes(operation)));
  return {
    openapi: '3.1.0',
    info: infoOf(namespace),
    servers: serversOf(site, namespace),
    tags: tagsOf(modules),
    paths,
    ...(Object.keys(webhooks).length > 0 && { webhooks }),
    components: { schemas, responses, headers: SHARED_HEADERS, securitySchemes: SECURITY_SCHEMES },
  };
}
